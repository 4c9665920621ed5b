import { type PointerEvent, useRef, useState } from 'react';

export type Rectangle = readonly [x1: number, y1: number, x2: number, y2: number];

/** A shorter way of the pointer is a click, px. */
const MIN_DRAG = 5;

/** A rectangle that the mouse is dragging over an element; touch scrolls the page instead. */
export function useRectangle(onDone: (rectangle: Rectangle) => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const wasDragged = useRef(false);
  const [rectangle, setRectangle] = useState<Rectangle | null>(null);
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  return {
    rectangle,
    /** Whether the click that follows belongs to a rectangle. */
    wasDragged: () => wasDragged.current,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        wasDragged.current = false;
        if (event.pointerType !== 'mouse' || event.button !== 0) return;
        start.current = pointOf(event);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start.current === null) return;
        const { x, y } = pointOf(event);
        if (!wasDragged.current && Math.hypot(x - start.current.x, y - start.current.y) < MIN_DRAG) return;
        if (!wasDragged.current) event.currentTarget.setPointerCapture(event.pointerId);
        wasDragged.current = true;
        setRectangle([start.current.x, start.current.y, x, y]);
      },
      onPointerUp() {
        if (rectangle !== null && wasDragged.current) onDone(rectangle);
        start.current = null;
        setRectangle(null);
      },
      onPointerCancel() {
        start.current = null;
        setRectangle(null);
      },
    },
  };
}
