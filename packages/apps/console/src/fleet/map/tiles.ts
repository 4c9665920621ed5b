import { visibleText } from '../../components/visible-text.ts';
import { stepPlace } from '../filter.ts';
import { FLEET_STATUSES } from '../fleet.ts';
import { SHAPES } from './glyphs.ts';
import { colorOf, type MapColors } from './map-colors.ts';
import type { MapPicture } from './map-picture.ts';
import { fittedName, percentText } from './tile-text.ts';

type Context = CanvasRenderingContext2D;

const PADDING = 7;
const SHAPE = 11;
const RADIUS = 3;

/** Draws hosts as tiles with their names. There are few of them, so that each is drawn, not copied. */
export class Tiles {
  readonly #context: Context;
  readonly #ratio: number;
  readonly #colors: MapColors;
  readonly #inks = new Map<string, string>();

  constructor(context: Context, ratio: number, colors: MapColors) {
    this.#context = context;
    this.#ratio = ratio;
    this.#colors = colors;
  }

  draw(picture: MapPicture, position: number, x: number, y: number): void {
    const { hosts, layout, order, selected } = picture;
    const context = this.#context;
    const row = order[position] as number;
    const [width, height] = [layout.width - layout.gap, layout.cell - layout.gap];
    context.save();
    context.scale(this.#ratio, this.#ratio);
    context.translate(x, y);
    context.clearRect(0, 0, layout.width, layout.cell);
    this.#content(picture, row, width, height);
    if (selected.has(hosts.ids[row] as string)) {
      context.strokeStyle = this.#colors.accent;
      context.lineWidth = 2;
      this.#frame(1, width, height);
      context.stroke();
    }
    context.restore();
  }

  #content(
    { hosts, fill, layout: { hasValues } }: MapPicture,
    row: number,
    width: number,
    height: number,
  ): void {
    const context = this.#context;
    const status = hosts.status[row] as number;
    const word = FLEET_STATUSES[status] ?? 'unknown';
    const value = fill === 'status' ? undefined : (hosts.metrics[fill][row] as number);
    const step = value === undefined ? null : stepPlace(value);
    const color = colorOf(this.#colors, status, step);
    this.#ground(color, step === null ? (word === 'healthy' ? 0.18 : 0.28) : 1, width, height);
    const hasShape = step === null || word !== 'healthy';
    const twoLines = step !== null && hasValues;
    const middle = twoLines ? height * 0.31 : height / 2;
    if (hasShape) this.#shape(status, step !== null, middle);
    const left = PADDING + (hasShape ? SHAPE + 5 : 0);
    context.fillStyle = step === null || color === null ? this.#colors.text : this.#inkOn(color);
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    if (twoLines) {
      context.font = '400 11px system-ui, sans-serif';
      context.fillText(percentText(value), PADDING, height * 0.72);
    }
    context.font = '500 12px system-ui, sans-serif';
    const name = visibleText(hosts.names[row] as string);
    const room = width - left - PADDING;
    context.fillText(
      fittedName(name, room, (text) => context.measureText(text).width),
      left,
      middle + 0.5,
    );
  }

  #ground(color: string | null, alpha: number, width: number, height: number): void {
    const context = this.#context;
    this.#frame(0, width, height);
    if (color !== null) {
      context.globalAlpha = alpha;
      context.fillStyle = color;
      context.fill();
      context.globalAlpha = 1;
      return;
    }
    // Without a value the tile is dotted, as its key in the legend is.
    context.setLineDash([1.5, 2.5]);
    context.strokeStyle = this.#colors.faint;
    context.lineWidth = 1.5;
    this.#frame(0.75, width, height);
    context.stroke();
    context.setLineDash([]);
  }

  #frame(inset: number, width: number, height: number): void {
    this.#context.beginPath();
    this.#context.roundRect(inset, inset, width - 2 * inset, height - 2 * inset, RADIUS);
  }

  /** The shape of the status; on the colour of a value it stands on a plate of the surface. */
  #shape(status: number, hasPlate: boolean, middle: number): void {
    const context = this.#context;
    const word = FLEET_STATUSES[status] ?? 'unknown';
    context.save();
    context.translate(PADDING, middle - SHAPE / 2);
    if (hasPlate) {
      context.fillStyle = this.#colors.surface;
      context.fillRect(-2, -2, SHAPE + 4, SHAPE + 4);
    }
    context.fillStyle = context.strokeStyle = colorOf(this.#colors, status, null) ?? this.#colors.unknown;
    context.beginPath();
    if (word === 'unknown') context.arc(SHAPE / 2, SHAPE / 2, SHAPE / 2 - 1, 0, 2 * Math.PI);
    else SHAPES[word](context, 0, SHAPE, word === 'healthy' ? 1.5 : 0);
    if (word === 'unknown' || word === 'offline') context.stroke();
    else context.fill();
    context.restore();
  }

  /** The colour of text on a ground: that of text, or that of the surface, whichever differs more from it. */
  #inkOn(ground: string): string {
    let ink = this.#inks.get(ground);
    if (ink === undefined) {
      const of = (color: string) => lightness(this.#context, color);
      const { text, surface } = this.#colors;
      const by = of(ground);
      ink = contrast(of(text), by) >= contrast(of(surface), by) ? text : surface;
      this.#inks.set(ground, ink);
    }
    return ink;
  }
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The relative luminance of a colour, from 0 to 1, as WCAG 2 defines it. A canvas writes any opaque colour as `#rrggbb`. */
function lightness(context: Context, color: string): number {
  context.fillStyle = color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(String(context.fillStyle).slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
