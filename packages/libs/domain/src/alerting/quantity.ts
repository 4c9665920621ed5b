import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { unitOf } from '@tidewatch/contracts/values/unit';

const STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const SUFFIXES = {
  percent: ' %',
  seconds: ' s',
  milliseconds: ' ms',
  'per second': ' per second',
  count: '',
};
/** This many significant digits distinguish any two doubles. */
const MAX_DIGITS = 17;

/** Formats a value of a metric with its unit, such as "95.5 %" or "1.5 GiB"; "no data" for null. */
export function quantity(metric: string, value: number | null): string {
  return value === null ? 'no data' : withDigits(metric, value, null);
}

/**
 * Formats values of one metric that are compared in one sentence, with enough digits that different values get different
 * texts: never "is 90 %, above 90 %".
 */
export function quantities(metric: string, values: readonly number[]): string[] {
  const distinct = new Set(values).size;
  let texts = values.map((value) => withDigits(metric, value, null));
  for (let digits = 5; new Set(texts).size < distinct && digits <= MAX_DIGITS; digits += 1) {
    texts = values.map((value) => withDigits(metric, value, digits));
  }
  return texts;
}

function withDigits(metric: string, value: number, digits: number | null): string {
  const unit = unitOf(metric);
  if (unit === 'bytes') return bytes(value, digits);
  if (metric.endsWith('_bytes_per_second')) return `${bytes(value, digits)}/s`;
  if (metric.endsWith('_minutes')) return minutes(value, digits);
  return `${rounded(value, digits)}${unit === null ? '' : SUFFIXES[unit]}`;
}

/** An amount of memory or disk: "512 MiB". */
export function bytes(value: number, digits: number | null = null): string {
  let step = 0;
  let rest = value;
  const round = (number: number) => Number(number.toPrecision(digits ?? 4));
  while (Math.abs(round(rest)) >= 1_024 && step < STEPS.length - 1) {
    rest /= 1_024;
    step += 1;
  }
  return `${round(rest)} ${STEPS[step]}`;
}

/** Whole minutes, rounded down; with fractions below one minute, or if `digits` is given. */
function minutes(value: number, digits: number | null): string {
  const shown = digits === null && value >= 1 ? Math.floor(value) : Number(value.toPrecision(digits ?? 2));
  return `${shown} ${shown === 1 ? 'minute' : 'minutes'}`;
}

/**
 * Formats a number with six significant digits (seven from 100,000 on) or with `digits`, and never rounds in front of the
 * decimal point: whole numbers stay whole, and others have to keep their order among them.
 */
export function rounded(value: number, digits: number | null = null): string {
  if (Number.isSafeInteger(value)) return String(value);
  const size = Math.abs(value);
  const wholeDigits = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  const shown = Math.max(digits ?? (size < 100_000 ? 6 : 7), wholeDigits);
  return String(Number(value.toPrecision(Math.min(shown, MAX_DIGITS))));
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Formats a length of time in its two largest units, such as "1 hour 5 minutes", or as "less than a second". */
export function stretch(ms: number): string {
  let rest = Math.max(0, ms);
  const parts: string[] = [];
  const first = UNITS.findIndex(([, length]) => rest >= length);
  for (const [name, length] of first === -1 ? [] : UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || 'less than a second';
}
