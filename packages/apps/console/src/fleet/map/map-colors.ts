import { FLEET_STATUSES } from '../fleet.ts';

const TOKENS = {
  surface: '--surface',
  text: '--text',
  line: '--line',
  faint: '--faint',
  accent: '--accent',
  critical: '--critical-fill',
  offline: '--offline-fill',
  degraded: '--warning-fill',
  maintenance: '--maintenance-fill',
  healthy: '--healthy-fill',
  unknown: '--unknown-fill',
  step0: '--step-1',
  step1: '--step-2',
  step2: '--step-3',
  step3: '--step-4',
  step4: '--step-5',
} as const;

export type MapColors = Readonly<Record<keyof typeof TOKENS, string>>;

/** The colours of the theme, resolved for a canvas: a canvas knows neither custom properties nor `light-dark()`. */
export function readMapColors(inside: HTMLElement): MapColors {
  const probe = inside.ownerDocument.createElement('span');
  probe.hidden = true;
  inside.append(probe);
  const entries = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries);
}

/** The colour of a cell: of its status, or of the step of its value; null without a value. */
export function colorOf(colors: MapColors, status: number, step: number | null): string | null {
  if (step === null) return colors[FLEET_STATUSES[status] ?? 'unknown'];
  return step === -1 ? null : colors[`step${step as 0 | 1 | 2 | 3 | 4}`];
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
