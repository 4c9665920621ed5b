import { visibleText } from '../../components/visible-text.ts';
import { stepPlace } from '../filter.ts';
import { type Glyph, Glyphs } from './glyphs.ts';
import { type MapLayout, placeOf } from './layout.ts';
import type { MapColors } from './map-colors.ts';
import type { MapPicture } from './map-picture.ts';
import { Tiles } from './tiles.ts';

/** From this size a cell has the end of its host's name, px. */
const MIN_NAMED_CELL = 24;

/** Draws cells on a canvas: all of them, or those whose hosts have changed. */
export class MapDrawing {
  readonly #context: CanvasRenderingContext2D;
  readonly #ratio: number;
  readonly #colors: MapColors;
  readonly #tiles: Tiles;
  #glyphs: Glyphs | undefined;
  #cell = 0;

  constructor(context: CanvasRenderingContext2D, ratio: number, colors: MapColors) {
    this.#context = context;
    this.#ratio = ratio;
    this.#colors = colors;
    this.#tiles = new Tiles(context, ratio, colors);
  }

  drawAll(picture: MapPicture): void {
    const { layout } = picture;
    const { width, height } = this.#context.canvas;
    if (width === 0 || height === 0) return;
    if (layout.isNamed) {
      this.#eachCell(layout, (position, x, y) => this.#tiles.draw(picture, position, x, y));
      return;
    }
    const image = this.#context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    this.#eachCell(layout, (position, x, y) => {
      const glyph = this.#glyphAt(picture, position);
      copyPixels(glyph, pixels, width, height, this.#round(x), this.#round(y));
    });
    this.#context.putImageData(image, 0, 0);
    if (isDecorated(picture))
      this.#eachCell(layout, (position, x, y) => this.#decorate(picture, position, x, y));
  }

  /** Redraws the cells at these positions. */
  drawCells(picture: MapPicture, positions: Iterable<number>): void {
    for (const position of positions) {
      const place = placeOf(picture.layout, position);
      if (place === undefined) continue;
      if (picture.layout.isNamed) {
        this.#tiles.draw(picture, position, place.x, place.y);
        continue;
      }
      this.#context.putImageData(
        this.#glyphAt(picture, position).image,
        this.#round(place.x),
        this.#round(place.y),
      );
      if (isDecorated(picture)) this.#decorate(picture, position, place.x, place.y);
    }
  }

  #eachCell(layout: MapLayout, visit: (position: number, x: number, y: number) => void): void {
    const { width, cell, columns } = layout;
    for (const { first, count, y } of layout.groups)
      for (let inGroup = 0; inGroup < count; inGroup += 1)
        visit(first + inGroup, (inGroup % columns) * width, y + Math.floor(inGroup / columns) * cell);
  }

  #round(length: number): number {
    return Math.round(length * this.#ratio);
  }

  #glyphAt({ hosts, layout: { cell }, order, fill }: MapPicture, position: number): Glyph {
    if (this.#glyphs === undefined || this.#cell !== cell) {
      this.#glyphs = new Glyphs(cell, this.#ratio, this.#colors);
      this.#cell = cell;
    }
    const row = order[position] as number;
    const step = fill === 'status' ? null : stepPlace(hosts.metrics[fill][row] as number);
    return this.#glyphs.of(hosts.status[row] as number, step);
  }

  /** The name and the outline of the selection. */
  #decorate(
    { hosts, layout: { cell }, order, selected }: MapPicture,
    position: number,
    x: number,
    y: number,
  ) {
    const row = order[position] as number;
    const [left, top] = [this.#round(x), this.#round(y)];
    if (cell >= MIN_NAMED_CELL) this.#name(hosts.names[row] as string, left, top, cell);
    if (selected.has(hosts.ids[row] as string)) this.#outline(left, top, cell);
  }

  #name(name: string, left: number, top: number, cell: number): void {
    const context = this.#context;
    context.font = `600 ${8 * this.#ratio}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'bottom';
    const [middle, bottom] = [left + ((cell - 2) / 2) * this.#ratio, top + (cell - 2) * this.#ratio];
    context.lineWidth = 2.5 * this.#ratio;
    context.lineJoin = 'round';
    context.strokeStyle = this.#colors.surface;
    context.fillStyle = this.#colors.text;
    const end = [...visibleText(name)].slice(-4).join('');
    context.strokeText(end, middle, bottom);
    context.fillText(end, middle, bottom);
  }

  #outline(left: number, top: number, cell: number): void {
    const line = (cell < 12 ? 1.5 : 2) * this.#ratio;
    const size = (cell - 1) * this.#ratio;
    this.#context.lineWidth = line;
    this.#context.strokeStyle = this.#colors.accent;
    this.#context.strokeRect(left + line / 2, top + line / 2, size - line, size - line);
  }
}

/** Whether cells have anything besides their picture. */
function isDecorated({ layout: { cell }, selected }: MapPicture): boolean {
  return cell >= MIN_NAMED_CELL || selected.size > 0;
}

/** Copies a picture to a place in a larger one; what stands out of it is cut. */
function copyPixels(
  { image: { width: size }, pixels: from }: Glyph,
  to: Uint32Array,
  width: number,
  height: number,
  left: number,
  top: number,
): void {
  const visible = Math.min(size, width - left);
  for (let row = 0; row < size && top + row < height; row += 1) {
    const target = (top + row) * width + left;
    for (let column = 0; column < visible; column += 1)
      to[target + column] = from[row * size + column] as number;
  }
}
