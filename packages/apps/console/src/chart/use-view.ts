import { useEffect, useRef, useState } from 'react';

/** Charts this close to the view are drawn already. */
const NEAR = '240px';
const PHONE_PX = 700;

/** Whether an element is in view or near it, and how wide its content is. */
export function useView(onView?: (view: { isNear: boolean; width: number }) => void) {
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState({ isNear: false, width: 0 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const sizes = new ResizeObserver(() => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const width = Math.floor(
        element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
      );
      setView((former) => (former.width === width ? former : { ...former, width }));
    });
    const places = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting ?? false;
        setView((former) => (former.isNear === isNear ? former : { ...former, isNear }));
      },
      { rootMargin: NEAR },
    );
    sizes.observe(element);
    places.observe(element);
    return () => {
      sizes.disconnect();
      places.disconnect();
    };
  }, []);
  const listener = useRef(onView);
  listener.current = onView;
  useEffect(() => listener.current?.(view), [view]);
  return { ref, ...view, isPhone: innerWidth < PHONE_PX };
}
