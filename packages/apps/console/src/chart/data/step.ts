import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';

/** The steps that a chart asks for, ms; each divides a day. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
];
/** Closer points cannot be distinguished. */
const PIXELS_PER_POINT = 2;

/** The step for a range on so many pixels, ms: no finer than the interval of the samples. */
export function stepFor(rangeMs: number, pixels: number, intervalMs: number | null): number {
  const wanted = Math.max(Math.ceil(rangeMs / (pixels / PIXELS_PER_POINT)), intervalMs ?? 0);
  const step = STEPS_MS.find((each) => each >= wanted);
  return step ?? Math.ceil(wanted / DAY_MS) * DAY_MS;
}
