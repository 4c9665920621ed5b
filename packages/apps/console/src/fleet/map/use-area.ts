import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Area } from './layout.ts';

const MIN_HEIGHT = 240;
const MARGIN = 40;

/** The room of an element: its width, and the height from its top to the end of the window. */
export function useArea(element: RefObject<HTMLElement | null>): Area | null {
  const [area, setArea] = useState<Area | null>(null);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const { top } = target.getBoundingClientRect();
      const width = Math.floor(target.clientWidth);
      const height = Math.max(Math.floor(innerHeight - (top + scrollY) - MARGIN), MIN_HEIGHT);
      setArea((former) =>
        former?.width === width && Math.abs(former.height - height) < MARGIN ? former : { width, height },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [element]);
  return area;
}
