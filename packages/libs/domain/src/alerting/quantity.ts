import { unitOf } from '@tidewatch/contracts/values/unit';
import { rounded } from '../alerting/summary.ts';

const STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const SUFFIXES = {
  percent: ' %',
  seconds: ' s',
  milliseconds: ' ms',
  'per second': ' per second',
  count: '',
};

/** A value of a metric for people, with its unit: "95.5 %", "1.5 GiB"; "no data" for null. */
export function quantity(metric: string, value: number | null): string {
  if (value === null) return 'no data';
  const unit = unitOf(metric);
  if (unit === 'bytes') return bytes(value);
  return `${rounded(value)}${unit === null ? '' : SUFFIXES[unit]}`;
}

/** An amount of memory or disk: "512 MiB". */
export function bytes(value: number): string {
  let step = 0;
  let rest = value;
  while (Math.abs(rest) >= 1_024 && step < STEPS.length - 1) {
    rest /= 1_024;
    step += 1;
  }
  return `${Number(rest.toPrecision(4))} ${STEPS[step]}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A stretch of time by its two largest units: "1 hour 5 minutes"; "0 seconds" for none. */
export function stretch(ms: number): string {
  let rest = Math.max(0, ms);
  const parts: string[] = [];
  const first = UNITS.findIndex(([, length]) => rest >= length);
  for (const [name, length] of first === -1 ? [] : UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || '0 seconds';
}
