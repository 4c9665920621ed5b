import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bytes, quantity, stretch } from '../../alerting/quantity.ts';

/** A value with its unit, to three digits, for people: "96.3 %", "8.3 GiB". */
export function figure(metric: string, value: number): string {
  if (!Number.isFinite(value)) return 'no data';
  if (metric.endsWith('_bytes_per_second')) return `${bytes(Number(value.toPrecision(3)))}/s`;
  return quantity(metric, Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(3)));
}

/** A number without a unit, to two digits. */
export function roughly(value: number): string {
  return String(Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
}

/** "1 value", "5 values". */
export function valuesInWords(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}

/** Formats a time as "12:03 UTC", with the date if it is not on the day of `reference`. */
export function clock(time: number, reference: number): string {
  const text = isoTime(time);
  const day = text.slice(0, 10);
  const at = `${text.slice(11, 16)} UTC`;
  return day === isoTime(reference).slice(0, 10) ? at : `${day} ${at}`;
}

/** Formats a length of time in whole minutes, or in seconds below two minutes. */
export function span(ms: number): string {
  return stretch(ms < 120_000 ? Math.round(ms / 1_000) * 1_000 : Math.round(ms / MINUTE_MS) * MINUTE_MS);
}

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
