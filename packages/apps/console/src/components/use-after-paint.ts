import { startTransition, useEffect, useState } from 'react';

/**
 * The value that was there when the page was last painted. A change is returned in a rendering that begins after the next frame
 * and gives way to input, so that what shows the change itself is painted first, however long the rest takes.
 */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState({ value });
  useEffect(() => {
    if (Object.is(painted.value, value)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The callback runs before the frame is painted, and a timer that it starts runs afterwards.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted({ value })), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [painted, value]);
  return painted.value;
}
