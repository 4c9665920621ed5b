import type { Evidence } from '../investigation-reads.ts';

/** By the unit of a number in words: what the cells of evidence are multiplied by to be in that unit. */
const FACTORS: Readonly<Record<string, readonly number[]>> = {
  '%': [1, 100],
  KiB: [2 ** -10],
  MiB: [2 ** -20],
  GiB: [2 ** -30],
  TiB: [2 ** -40],
  PiB: [2 ** -50],
  ms: [1, 1_000],
  min: [1 / 60],
  minute: [1 / 60],
  h: [1 / 3_600],
  hour: [1 / 3_600],
  d: [1 / 86_400],
  day: [1 / 86_400],
};

/** Whether the numbers or times of a piece of evidence have this one, which is rounded: `96.3 %`, `1.1 GiB`, `14:31 UTC`. */
export function containsNumber({ stats, points }: Evidence, number: string): boolean {
  const fits = number.includes(':') ? timeTest(number) : quantityTest(number);
  return [stats, ...points].some((row) => Object.values(row).some(fits));
}

type Test = (cell: number | string | null) => boolean;

/** Cells have times by RFC 3339 in UTC, as the words do. */
function timeTest(moment: string): Test {
  const text = moment.replace(' UTC', '').replace(' ', 'T');
  const clock = text.includes('T')
    ? text
    : `T${text.padStart(text.indexOf(':') === 1 ? text.length + 1 : 0, '0')}`;
  return (cell) => typeof cell === 'string' && cell.includes(clock);
}

function quantityTest(quantity: string): Test {
  const [, sign = '', digits = '', fraction = '', unit = ''] =
    /^([+−-]?)([\d,]+)(?:\.(\d+))?\s?(.*)$/.exec(quantity) ?? [];
  const size = Number(`${digits.replaceAll(',', '')}.${fraction || '0'}`);
  const value = sign === '−' || sign === '-' ? -size : size;
  const factors = FACTORS[unit.replace('/s', '').replace(/^(.{3,})s$/, '$1')] ?? [1];
  const tolerance = 0.5 * 10 ** -fraction.length + Number.EPSILON;
  return (cell) =>
    typeof cell === 'number' && factors.some((factor) => isNear(cell * factor, value, tolerance));
}

/** Words leave out the sign of what fell. */
function isNear(cell: number, value: number, tolerance: number): boolean {
  return Math.min(Math.abs(cell - value), Math.abs(Math.abs(cell) - value)) <= tolerance;
}
