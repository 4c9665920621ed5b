/** The colours of tokens in the theme of the page, for what knows neither custom properties nor `light-dark()`. */
export function readColors(inside: HTMLElement, tokens: readonly string[]): string[] {
  const probe = inside.ownerDocument.createElement('span');
  probe.hidden = true;
  inside.append(probe);
  const colors = tokens.map((token) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colors;
}

/** Calls `listener` when the theme of the page changes; returns how to stop. */
export function onTheme(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  system.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    chosen.disconnect();
  };
}
