import { FLEET_STATUSES, type FleetStatus } from '../fleet.ts';
import { colorOf, type MapColors } from './map-colors.ts';

type Context = CanvasRenderingContext2D;

/** From this size the shape stands inside of the cell; below it the cell itself has the shape, px. */
export const MIN_FRAMED_CELL = 12;

type DrawShape = (context: Context, start: number, size: number, inset: number) => void;

/** The path of each status in a square from `start`. */
export const SHAPES: Readonly<Record<Exclude<FleetStatus, 'unknown'>, DrawShape>> = {
  critical(context, start, size) {
    const [middle, end] = [start + size / 2, start + size];
    context.moveTo(middle, start);
    context.lineTo(end, middle);
    context.lineTo(middle, end);
    context.lineTo(start, middle);
  },
  degraded(context, start, size) {
    context.moveTo(start + size / 2, start);
    context.lineTo(start + size, start + size);
    context.lineTo(start, start + size);
  },
  offline(context, start, size) {
    context.lineWidth = Math.max(size / 7, 1);
    const half = context.lineWidth / 2;
    context.rect(start + half, start + half, size - 2 * half, size - 2 * half);
  },
  maintenance(context, start, size) {
    const stripe = Math.max(size / 5, 1);
    for (let y = 0; y < size; y += 2 * stripe)
      context.rect(start, start + y, size, Math.min(stripe, size - y));
  },
  healthy(context, start, size, inset) {
    context.rect(start + inset, start + inset, size - 2 * inset, size - 2 * inset);
  },
};

/** The picture of a cell, and its pixels as whole numbers. */
export interface Glyph {
  image: ImageData;
  pixels: Uint32Array;
}

/** Draws each kind of cell once; a map of ten thousand copies their pixels, which is faster than drawing pictures. */
export class Glyphs {
  readonly #cell: number;
  readonly #ratio: number;
  readonly #colors: MapColors;
  readonly #drawn = new Map<number, Glyph>();

  constructor(cell: number, ratio: number, colors: MapColors) {
    this.#cell = cell;
    this.#ratio = ratio;
    this.#colors = colors;
  }

  /** The picture of a cell by its status and step: null where the map shows the status, -1 without a value. */
  of(status: number, step: number | null): Glyph {
    const key = status * 8 + (step === null ? 7 : step + 1);
    let glyph = this.#drawn.get(key);
    if (glyph === undefined) {
      const image = this.#draw(status, step);
      glyph = { image, pixels: new Uint32Array(image.data.buffer) };
      this.#drawn.set(key, glyph);
    }
    return glyph;
  }

  #draw(status: number, step: number | null): ImageData {
    const size = Math.max(Math.round(this.#cell * this.#ratio), 1);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) return new ImageData(size, size);
    context.scale(size / this.#cell, size / this.#cell);
    const color = colorOf(this.#colors, status, step);
    if (this.#cell < MIN_FRAMED_CELL) this.#shape(context, status, color, 0, this.#cell - 1);
    else this.#framed(context, status, step, color);
    return context.getImageData(0, 0, size, size);
  }

  #framed(context: Context, status: number, step: number | null, color: string | null): void {
    const size = this.#cell - 2;
    const isHealthy = FLEET_STATUSES[status] === 'healthy';
    context.globalAlpha = step === null ? (isHealthy ? 0.22 : 0.3) : 1;
    if (color === null) this.#dots(context, 0, size);
    else {
      context.fillStyle = color;
      context.fillRect(0, 0, size, size);
    }
    context.globalAlpha = 1;
    if (step !== null && isHealthy) return;
    const inner = Math.round(size * (isHealthy ? 0.4 : 0.62));
    const start = (size - inner) / 2;
    if (step === null) {
      this.#shape(context, status, color, start, inner);
      return;
    }
    // On a cell that has the colour of a value, the shape stands on a plate of the surface.
    context.fillStyle = this.#colors.surface;
    context.fillRect(start - 1.5, start - 1.5, inner + 3, inner + 3);
    this.#shape(context, status, colorOf(this.#colors, status, null), start, inner);
  }

  #shape(context: Context, status: number, color: string | null, start: number, size: number): void {
    const word = FLEET_STATUSES[status] ?? 'unknown';
    if (color === null || word === 'unknown') {
      this.#dots(context, start, size);
      return;
    }
    context.fillStyle = context.strokeStyle = color;
    context.beginPath();
    // The small square of a healthy host leaves room around it, where there is no frame.
    SHAPES[word](context, start, size, this.#cell < MIN_FRAMED_CELL ? size * 0.15 : 0);
    if (word === 'offline') context.stroke();
    else context.fill();
  }

  /** A cell without a value. */
  #dots(context: Context, start: number, size: number): void {
    context.fillStyle = this.#colors.faint;
    const dot = Math.max(size / 8, 0.8);
    for (let row = 0; row < 3; row += 1)
      for (let column = 0; column < 3; column += 1)
        context.fillRect(
          start + (size * (column + 0.5)) / 3 - dot / 2,
          start + (size * (row + 0.5)) / 3 - dot / 2,
          dot,
          dot,
        );
  }
}
