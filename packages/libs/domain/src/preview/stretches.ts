import { HOUR_MS } from '@tidewatch/contracts/time/duration';

/** Every value of the hour is clear of all thresholds. */
export const QUIET = 0;
/** No value of the hour breaches, but not all are past a recovery threshold. */
export const UNCLEAR = 1;
/** A value of the hour may breach. */
export const LOUD = 2;

/** An hour of a stream that may have values. `start` in ms. */
export interface Hour {
  start: number;
  loudness: number;
  /** The expected number of values in the hour. */
  values: number;
}

/** A time range `[from, to)`, ms, whose values must be evaluated; in some ranges the first value suffices. */
export interface Stretch {
  from: number;
  to: number;
  firstOnly: boolean;
  values: number;
}

/** How far back in time a rule looks, ms. `windowMs` is the window of a derived value, 0 for plain samples. */
export interface Reach {
  windowMs: number;
  keepFiringMs: number;
}

/**
 * The time ranges in which an alert may begin, change or end; other values need no evaluation. After an hour with possible
 * breaches, evaluation goes on until no alert can be left: at the first value of a quiet hour, or after the time for which
 * a rule keeps firing. Hours must be in order.
 */
export function stretchesOf(hours: readonly Hour[], { windowMs, keepFiringMs }: Reach): Stretch[] {
  const stretches: Stretch[] = [];
  const derived = windowMs > 0;
  let open = false;
  let clearFrom: number | null = null;
  for (const [index, hour] of hours.entries()) {
    const loudness = derived ? loudestSince(hours, index, hour.start - windowMs) : hour.loudness;
    if (loudness === LOUD) {
      add(stretches, hour, false);
      open = true;
      clearFrom = null;
      continue;
    }
    if (!open) continue;
    const firstOnly = loudness === QUIET && keepFiringMs === 0 && !derived;
    add(stretches, hour, firstOnly);
    if (firstOnly) open = false;
    else if (clearFrom !== null) open = hour.start < clearFrom;
    else if (loudness === QUIET) clearFrom = hour.start + HOUR_MS + keepFiringMs;
  }
  return stretches;
}

function loudestSince(hours: readonly Hour[], index: number, since: number): number {
  let loudest = QUIET;
  for (let i = index; i >= 0; i -= 1) {
    const { start, loudness } = hours[i] as Hour;
    if (start + HOUR_MS <= since) break;
    if (loudness > loudest) loudest = loudness;
  }
  return loudest;
}

function add(stretches: Stretch[], { start, values }: Hour, firstOnly: boolean): void {
  const last = stretches.at(-1);
  const to = start + HOUR_MS;
  if (last !== undefined && last.to === start && !last.firstOnly && !firstOnly) {
    last.to = to;
    last.values += values;
  } else stretches.push({ from: start, to, firstOnly, values: firstOnly ? 1 : values });
}
