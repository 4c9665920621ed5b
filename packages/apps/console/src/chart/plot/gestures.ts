import { pinched, type Range, shifted } from '../data/range.ts';

export interface GestureHandlers {
  range: () => Range;
  /** The pointer stands over a time, or has left. */
  hover: (at: number | null) => void;
  /** While a range is dragged: its ends as shares of the width; null once that is over. */
  select: (ends: [number, number] | null) => void;
  /** While the range is moved or pinched. */
  preview: (range: Range) => void;
  /** The range that was chosen; null where it was cancelled. */
  commit: (range: Range | null) => void;
}

/** A shorter drag is a click. */
const MIN_DRAG_PX = 5;

/**
 * Follows the pointer over a plot: a drag selects a range, with Shift it moves the range, and two fingers zoom. One finger
 * scrolls the page. Returns how to stop.
 */
export function attachGestures(over: HTMLElement, handlers: GestureHandlers): () => void {
  const touches = new Map<number, number>();
  let drag: { start: number; range: Range; isPan: boolean } | null = null;
  let pinch: { before: [number, number]; range: Range; last: Range } | null = null;

  const share = ({ clientX }: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / width, 0), 1);
  };
  const timeAt = (place: number, { from, to }: Range) => from + place * (to - from);
  const ends = (start: number, end: number): [number, number] => [Math.min(start, end), Math.max(start, end)];

  const onDown = (event: PointerEvent) => {
    if (event.pointerType === 'touch') {
      touches.set(event.pointerId, share(event));
      if (touches.size === 2) {
        const range = handlers.range();
        pinch = { before: [...touches.values()] as [number, number], range, last: range };
      }
      return;
    }
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    drag = { start: share(event), range: handlers.range(), isPan: event.shiftKey };
    addEventListener('keydown', onKey, true);
  };

  const onMove = (event: PointerEvent) => {
    const place = share(event);
    if (touches.has(event.pointerId)) touches.set(event.pointerId, place);
    if (pinch !== null && touches.size === 2) {
      pinch.last = pinched(pinch.range, pinch.before, [...touches.values()] as [number, number]);
      handlers.preview(pinch.last);
    } else if (drag?.isPan) handlers.preview(shifted(drag.range, drag.start - place));
    else {
      if (drag !== null) handlers.select(ends(drag.start, place));
      handlers.hover(timeAt(place, handlers.range()));
    }
  };

  const onUp = (event: PointerEvent) => {
    touches.delete(event.pointerId);
    if (pinch !== null) {
      const { last } = pinch;
      pinch = null;
      handlers.commit(last);
    }
    if (drag === null) return;
    const { start, range, isPan } = drag;
    const place = share(event);
    endDrag();
    if (Math.abs(place - start) * over.clientWidth < MIN_DRAG_PX) handlers.commit(null);
    else if (isPan) handlers.commit(shifted(range, start - place));
    else {
      const [low, high] = ends(start, place);
      handlers.commit({ from: timeAt(low, range), to: timeAt(high, range) });
    }
  };

  const cancel = () => {
    touches.clear();
    if (pinch === null && drag === null) return;
    pinch = null;
    endDrag();
    handlers.commit(null);
  };
  const endDrag = () => {
    drag = null;
    handlers.select(null);
    removeEventListener('keydown', onKey, true);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  };
  const onLeave = () => handlers.hover(null);

  over.addEventListener('pointerdown', onDown);
  over.addEventListener('pointermove', onMove);
  over.addEventListener('pointerup', onUp);
  over.addEventListener('pointercancel', cancel);
  over.addEventListener('pointerleave', onLeave);
  return () => {
    cancel();
    over.removeEventListener('pointerdown', onDown);
    over.removeEventListener('pointermove', onMove);
    over.removeEventListener('pointerup', onUp);
    over.removeEventListener('pointercancel', cancel);
    over.removeEventListener('pointerleave', onLeave);
  };
}
