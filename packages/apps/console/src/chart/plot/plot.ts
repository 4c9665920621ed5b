import UPlot from 'uplot';
import './plot.css';
import { drawPicture } from './draw.ts';
import { TIME_AXIS, TOP } from './layout.ts';
import type { Palette } from './palette.ts';
import type { Picture } from './picture.ts';

/** A chart on the page: the only part that knows uPlot, which lays out and draws its axes. */
export interface Plot {
  /** Draws another picture, also in another size. */
  draw: (picture: Picture, palette: Palette) => void;
  /** The area between the axes, for the pointer. */
  readonly over: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  destroy: () => void;
}

const FONT = '11px system-ui, sans-serif';
/** Lines are drawn by a hook, since uPlot's bands are wrong beside gaps. uPlot itself has nothing to draw. */
const NOTHING: [number[], null[]] = [
  [0, 1],
  [null, null],
] as never;

/** Makes a plot in an element and draws it. Its canvas is complete after a microtask. */
export function createPlot(parent: HTMLElement, first: Picture, colours: Palette): Plot {
  let picture = first;
  let palette = colours;
  const { width, height } = picture.layout;
  const line = { stroke: () => palette.grid, width: 1 };
  const plot = new UPlot(
    {
      width,
      height,
      ms: 1,
      padding: [TOP, 12, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: () => [picture.range.from, picture.range.to] },
        y: { auto: false, range: () => [picture.scale.min, picture.scale.max] },
      },
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      axes: [
        {
          size: TIME_AXIS,
          font: FONT,
          gap: 6,
          stroke: () => palette.muted,
          grid: line,
          ticks: { show: false },
          splits: () => picture.timeTicks.map(({ at }) => at),
          values: () => picture.timeTicks.map(({ label }) => label),
        },
        {
          size: () => picture.layout.left,
          font: FONT,
          gap: 6,
          stroke: () => palette.muted,
          grid: line,
          ticks: { show: false },
          splits: () => [...picture.scale.ticks],
          values: () => [...picture.valueLabels],
        },
      ],
      hooks: {
        draw: [
          (self) => {
            const { left, top, width, height } = self.bbox;
            drawPicture(self.ctx, picture, palette, {
              left,
              top,
              width,
              height,
              ratio: devicePixelRatio,
              x: (at) => self.valToPos(at, 'x', true),
              y: (value) => self.valToPos(value, 'y', true),
            });
          },
        ],
      },
    },
    NOTHING as never,
    parent,
  );
  return {
    over: plot.over,
    canvas: plot.ctx.canvas,
    destroy: () => plot.destroy(),
    draw: (next, nextColours) => {
      const { width, height } = next.layout;
      const isResized = width !== plot.width || height !== plot.height;
      picture = next;
      palette = nextColours;
      plot.batch(() => {
        if (isResized) plot.setSize({ width, height });
        plot.setScale('x', { min: next.range.from, max: next.range.to });
        plot.setScale('y', { min: next.scale.min, max: next.scale.max });
        plot.redraw(false, true);
      });
    },
  };
}
