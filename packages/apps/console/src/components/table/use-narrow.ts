import { type RefObject, useLayoutEffect, useState } from 'react';
import { isPhone } from '../use-phone.ts';

/** Whether the window is as narrow as a phone, or the element is narrower than `minWidth`, px. */
export function useNarrow(element: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [isNarrow, setNarrow] = useState(isPhone);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => setNarrow(isPhone() || target.offsetWidth < minWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, minWidth]);
  return isNarrow;
}
