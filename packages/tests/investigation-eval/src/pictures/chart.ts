import type { Series } from '@tidewatch/domain/investigation/facts';

export interface Line {
  readonly name: string;
  readonly series: Series;
  readonly color: string;
  readonly dashed?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  /** Vertical lines with a label at these times. */
  readonly marks?: readonly { readonly at: number; readonly name: string }[];
  /** Horizontal lines with a label at these values. */
  readonly levels?: readonly { readonly value: number; readonly name: string }[];
  /** Shaded time ranges. */
  readonly bands?: readonly { readonly from: number; readonly to: number; readonly name: string }[];
}

const WIDTH = 720;
const HEIGHT = 240;
const LEFT = 56;
const RIGHT = 12;
const TOP = 30;
const BOTTOM = 40;
const MAX_POINTS = 240;

/** Draws lines over time as a small SVG with axes; times are in minutes before the investigation. */
export function chart(given: Chart): string {
  const values = given.lines.flatMap(({ series }) => inside(series, given).map(([, value]) => value));
  const all = [...values, ...(given.levels ?? []).map(({ value }) => value)];
  const least = Math.min(0, ...all);
  const most = Math.max(...all) * 1.05 || 1;
  const x = (time: number) => LEFT + ((time - given.from) / (given.to - given.from)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - ((value - least) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    ...(given.bands ?? []).map(
      ({ from, to, name }) =>
        `<rect x="${n(x(from))}" y="${TOP}" width="${n(x(to) - x(from))}" height="${HEIGHT - TOP - BOTTOM}" fill="#f3e3c3"/>${label(x(from) + 4, TOP + 12, name)}`,
    ),
    ...[0, 0.5, 1].map((part) => {
      const value = least + part * (most - least);
      return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${n(y(value))}" y2="${n(y(value))}" stroke="#ddd"/>${label(4, y(value) + 4, short(value))}`;
    }),
    ...[0, 0.25, 0.5, 0.75, 1].map((part) => {
      const time = given.from + part * (given.to - given.from);
      return label(
        Math.min(x(time) - 10, WIDTH - 50),
        HEIGHT - BOTTOM + 16,
        `${Math.round((time - given.to) / 60_000)} min`,
      );
    }),
    ...given.lines.map((line) => path(inside(line.series, given), x, y, line)),
    ...(given.levels ?? []).map(
      ({ value, name }) =>
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${n(y(value))}" y2="${n(y(value))}" stroke="#888" stroke-dasharray="2 3"/>${label(LEFT + 4, y(value) - 4, name)}`,
    ),
    ...(given.marks ?? []).map(
      ({ at, name }, nth) =>
        `<line x1="${n(x(at))}" x2="${n(x(at))}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#c33"/>${label(Math.max(LEFT, x(at) - 6 * name.length - 6), TOP + 12 + 14 * (nth % 3), name, '#c33')}`,
    ),
    ...given.lines.map(({ name, color }, nth) =>
      label(LEFT + before(given.lines, nth), HEIGHT - 6, name, color),
    ),
  ];
  return document(given.title, parts);
}

/** The width in pixels that the names of the lines before the `nth` need in the legend. */
function before(lines: readonly Line[], nth: number): number {
  return lines.slice(0, nth).reduce((room, { name }) => room + 7 * name.length + 20, 0);
}

/** The SVG document around all pictures. */
export function document(title: string, parts: readonly string[], width = WIDTH, height = HEIGHT): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${label(8, 18, title)}
${parts.join('\n')}
</svg>
`;
}

export function label(x: number, y: number, text: string, color = '#333'): string {
  return `<text x="${n(x)}" y="${n(y)}" fill="${color}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function path(
  points: ReadonlyArray<readonly [number, number]>,
  x: (time: number) => number,
  y: (value: number) => number,
  { color, dashed }: Line,
): string {
  const stride = Math.ceil(points.length / MAX_POINTS);
  const d = points
    .filter((_, i) => i % stride === 0)
    .map(([time, value], i) => `${i === 0 ? 'M' : 'L'}${n(x(time))} ${n(y(value))}`)
    .join('');
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="1.5"${dashed === true ? ' stroke-dasharray="5 4"' : ''}/>`;
}

function inside({ times, values }: Series, { from, to }: Chart): Array<readonly [number, number]> {
  const points: Array<readonly [number, number]> = [];
  times.forEach((time, i) => {
    if (time >= from && time <= to) points.push([time, values[i] as number]);
  });
  return points;
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (size >= 1e3) return `${(value / 1e3).toFixed(1)} k`;
  return size >= 10 ? value.toFixed(0) : value.toFixed(1);
}

function n(value: number): string {
  return value.toFixed(1);
}
