import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { onTheme } from '../../style/theme.ts';
import { changedCells } from './changed-cells.ts';
import { MapDrawing } from './draw.ts';
import { readMapColors } from './map-colors.ts';
import type { MapPicture } from './map-picture.ts';

/** Keeps a canvas as the picture says: a change of few hosts redraws their cells alone. */
export function useMapCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  picture: MapPicture,
  width: number,
): void {
  const drawn = useRef<{ drawing: MapDrawing; picture: MapPicture; look: string } | null>(null);
  const [theme, setTheme] = useState(0);
  useLayoutEffect(() => onTheme(() => setTheme((former) => former + 1)), []);

  useLayoutEffect(() => {
    const element = canvas.current;
    // Its pixels are written by the processor; without the option each of them would wait for the graphics process.
    const context = element?.getContext('2d', { willReadFrequently: true });
    if (!element || !context || width === 0) return;
    const ratio = devicePixelRatio;
    const { height } = picture.layout;
    const look = [theme, width, height, ratio].join(' ');
    const before = drawn.current;
    const start = performance.now();
    const changed = before?.look === look ? changedCells(before.picture, picture) : null;
    if (before === null || changed === null || before.look !== look) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
      const drawing = new MapDrawing(context, ratio, readMapColors(element.parentElement ?? document.body));
      drawing.drawAll(picture);
      drawn.current = { drawing, picture, look };
      measure('fleet-map: draw', start);
    } else if (changed.length > 0) {
      before.drawing.drawCells(picture, changed);
      drawn.current = { ...before, picture };
      measure('fleet-map: update', start);
    } else drawn.current = { ...before, picture };
  }, [canvas, picture, width, theme]);
}

function measure(name: string, start: number): void {
  performance.measure(name, { start, end: performance.now() });
}
