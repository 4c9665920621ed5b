import { type ChartPoint, segmentsOf } from '../data/gaps.ts';
import type { Range } from '../data/range.ts';
import { DASHES, type Palette } from './palette.ts';
import type { ChartLine, Picture } from './picture.ts';

/** Where times and values lie on a canvas, in its pixels. */
export interface Place {
  x: (at: number) => number;
  y: (value: number) => number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels of the canvas per pixel of the page. */
  ratio: number;
}

const DOT = 2.5;
const HATCH = 8;
const MIN_NAME_DISTANCE = 14;
/** The height of a name with its distance from the line. */
const NAME_HEIGHT = 17;
const NAME_GAP = 3;

/** Draws what lies between the axes: spans, bands, thresholds, lines, and dots where a point stands alone. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  picture: Picture,
  palette: Palette,
  place: Place,
): void {
  context.save();
  context.beginPath();
  context.rect(place.left, place.top, place.width, place.height);
  context.clip();
  for (const { span, severity } of picture.breaches) tint(context, span, palette[severity], 0.13, place);
  if (picture.highlighted) tint(context, picture.highlighted, palette.info, 0.2, place);
  if (picture.hatched) hatch(context, picture.hatched, palette.muted, place);
  const order = picture.lines.map((_, index) => index);
  order.sort(
    (a, b) => Number(picture.lines[a]?.shape !== 'peers') - Number(picture.lines[b]?.shape !== 'peers'),
  );
  for (const index of order)
    drawBand(context, picture.lines[index] as ChartLine, colourOf(picture, palette, index), place);
  drawThresholds(context, picture, palette, place);
  for (const index of order) {
    const line = picture.lines[index] as ChartLine;
    drawLine(context, line, colourOf(picture, palette, index), DASHES[index] ?? [], place);
  }
  if (picture.lines.filter(({ shape }) => shape !== 'peers').length > 1)
    drawNames(context, picture, palette, place);
  context.restore();
}

function colourOf({ lines }: Picture, palette: Palette, index: number): string {
  return lines[index]?.shape === 'peers' ? palette.muted : (palette.series[index] ?? palette.text);
}

function tint(
  context: CanvasRenderingContext2D,
  { from, to }: Range,
  colour: string,
  alpha: number,
  place: Place,
) {
  const left = place.x(from);
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.fillRect(left, place.top, Math.max(place.x(to) - left, 2 * place.ratio), place.height);
  context.globalAlpha = 1;
}

function hatch(context: CanvasRenderingContext2D, { from, to }: Range, colour: string, place: Place) {
  const { top, height, ratio } = place;
  const left = place.x(from);
  const right = place.x(to);
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, height);
  context.clip();
  context.strokeStyle = colour;
  context.globalAlpha = 0.45;
  context.lineWidth = ratio;
  context.beginPath();
  for (let x = left - height; x < right; x += HATCH * ratio) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

function drawBand(context: CanvasRenderingContext2D, line: ChartLine, colour: string, place: Place) {
  if (line.shape === 'line') return;
  context.fillStyle = colour;
  context.globalAlpha = line.shape === 'peers' ? 0.16 : 0.22;
  for (const [first, last] of segmentsOf(line.points, line.spacing)) {
    context.beginPath();
    if (first === last) {
      const { t, min, max } = line.points[first] as ChartPoint;
      const half = DOT * place.ratio;
      context.rect(place.x(t) - half, place.y(max), 2 * half, place.y(min) - place.y(max));
    } else {
      for (let index = first; index <= last; index += 1) {
        const { t, max } = line.points[index] as ChartPoint;
        context.lineTo(place.x(t), place.y(max));
      }
      for (let index = last; index >= first; index -= 1) {
        const { t, min } = line.points[index] as ChartPoint;
        context.lineTo(place.x(t), place.y(min));
      }
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawLine(
  context: CanvasRenderingContext2D,
  line: ChartLine,
  colour: string,
  dash: readonly number[],
  place: Place,
) {
  const { ratio } = place;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = (line.shape === 'peers' ? 1 : 1.75) * ratio;
  context.lineJoin = 'round';
  for (const [first, last] of segmentsOf(line.points, line.spacing)) {
    context.beginPath();
    if (first === last) {
      const { t, avg } = line.points[first] as ChartPoint;
      context.arc(place.x(t), place.y(avg), DOT * ratio, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    context.setLineDash(dash.map((length) => length * ratio));
    for (let index = first; index <= last; index += 1) {
      const { t, avg } = line.points[index] as ChartPoint;
      context.lineTo(place.x(t), place.y(avg));
    }
    context.stroke();
    context.setLineDash([]);
  }
}

function drawThresholds(
  context: CanvasRenderingContext2D,
  { thresholds }: Picture,
  palette: Palette,
  place: Place,
) {
  for (const { value, severity, isRecovery } of thresholds) {
    const y = place.y(value);
    context.strokeStyle = palette[severity];
    context.lineWidth = place.ratio;
    context.setLineDash(isRecovery ? [4 * place.ratio, 4 * place.ratio] : []);
    context.beginPath();
    context.moveTo(place.left, y);
    context.lineTo(place.left + place.width, y);
    context.stroke();
  }
  context.setLineDash([]);
}

/** The names of lines at their ends, where they do not lie on one another. */
function drawNames(context: CanvasRenderingContext2D, picture: Picture, palette: Palette, place: Place) {
  const { ratio } = place;
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  context.textAlign = 'right';
  context.textBaseline = 'bottom';
  const used: number[] = [];
  for (const [index, { name, points, shape }] of picture.lines.entries()) {
    const last = points.at(-1);
    if (last === undefined || shape === 'peers') continue;
    const end = place.y(last.avg);
    // Above the line, or below it where it runs along the top.
    const y = end - NAME_HEIGHT * ratio < place.top ? end + NAME_HEIGHT * ratio : end - NAME_GAP * ratio;
    if (used.some((other) => Math.abs(other - y) < MIN_NAME_DISTANCE * ratio)) continue;
    used.push(y);
    const x = Math.min(place.x(last.t), place.left + place.width - 2 * ratio);
    context.lineWidth = 4 * ratio;
    context.strokeStyle = palette.surface;
    context.strokeText(name, x, y);
    context.fillStyle = colourOf(picture, palette, index);
    context.fillText(name, x, y);
  }
}
