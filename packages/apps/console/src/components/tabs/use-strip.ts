import { type RefObject, useEffect } from 'react';

/**
 * Keeps the chosen entry of a strip of tabs or links in view where not all have room, and notes in `data-more` at which
 * ends more of them are out of sight, so that the style can fade these ends.
 */
export function useStrip(strip: RefObject<HTMLElement | null>, chosen: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is chosen without another element.
  useEffect(() => {
    const { current: element } = strip;
    const entry = element?.querySelector('[aria-selected="true"], [aria-current]');
    if (!element || !entry) return;
    const [outer, inner] = [element.getBoundingClientRect(), entry.getBoundingClientRect()];
    element.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [strip, chosen]);
  useEffect(() => {
    const { current: element } = strip;
    if (element === null) return;
    const note = () => {
      // Positions have fractions of a pixel.
      const isCutAtStart = element.scrollLeft > 1;
      const isCutAtEnd = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
      element.dataset['more'] = isCutAtStart ? (isCutAtEnd ? 'both' : 'start') : isCutAtEnd ? 'end' : 'none';
    };
    const observer = new ResizeObserver(note);
    observer.observe(element);
    element.addEventListener('scroll', note, { passive: true });
    note();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [strip]);
}
