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
    const before = drawn.current?.look === look ? drawn.current : null;
    // Colours are computed with the styles of the page, which its rendering needs in any case.
    const drawing =
      before?.drawing ??
      new MapDrawing(context, ratio, readMapColors(element.parentElement ?? document.body));
    const drawAll = () => {
      const start = performance.now();
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
      drawing.drawAll(picture);
      measure('fleet-map: draw', start);
      drawn.current = { drawing, picture, look };
    };
    if (before === null) {
      // Thousands of cells are drawn apart from the rendering that brought them; a picture of another look stays until then.
      const frame = requestAnimationFrame(drawAll);
      return () => cancelAnimationFrame(frame);
    }
    const start = performance.now();
    const changed = changedCells(before.picture, picture);
    if (changed === null) return drawAll();
    if (changed.length > 0) {
      drawing.drawCells(picture, changed);
      measure('fleet-map: update', start);
    }
    drawn.current = { drawing, picture, look };
    return;
  }, [canvas, picture, width, theme]);
}

function measure(name: string, start: number): void {
  performance.measure(name, { start, end: performance.now() });
}
