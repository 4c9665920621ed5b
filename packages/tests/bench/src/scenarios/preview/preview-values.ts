import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

export const SAMPLE_MS = 10_000;

/** The number of hours, of 1,024, in which values are high from minute 10 to minute 30. */
const LOUD_OF_1024 = 10;
const LOUD_FROM = 10;
const LOUD_TO = 30;

/** Sum, count, min and max of one block in a bucket. */
export interface Figures {
  sum: number;
  count: number;
  least: number;
  greatest: number;
}

/** The sample of a block at a time (ms): 20 to 28, or 91 to 99 in the high minutes. Depends on its arguments alone. */
export function sampleAt(blockId: number, at: number): number {
  const minute = Math.floor(at / MINUTE_MS);
  const ofHour = minute % 60;
  const isLoud = ofHour >= LOUD_FROM && ofHour < LOUD_TO && isLoudHour(blockId, Math.floor(minute / 60));
  return (isLoud ? 91 : 20) + (mixed(blockId, at / SAMPLE_MS) % 1024) / 128;
}

/** The figures of the samples in `[from, to)` (whole minutes, ms), written into `into`. */
export function figuresOf(blockId: number, from: number, to: number, into: Figures): Figures {
  into.sum = 0;
  into.count = (to - from) / SAMPLE_MS;
  into.least = Number.POSITIVE_INFINITY;
  into.greatest = Number.NEGATIVE_INFINITY;
  for (let at = from; at < to; at += SAMPLE_MS) {
    const value = sampleAt(blockId, at);
    into.sum += value;
    if (value < into.least) into.least = value;
    if (value > into.greatest) into.greatest = value;
  }
  return into;
}

function isLoudHour(blockId: number, hour: number): boolean {
  return mixed(blockId, hour) % 1024 < LOUD_OF_1024;
}

/** A pseudorandom whole number that depends on its two arguments alone. */
function mixed(a: number, b: number): number {
  let mix = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return (mix ^ (mix >>> 16)) >>> 0;
}
