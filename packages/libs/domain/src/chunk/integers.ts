import type { ByteReader } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { readFrames, writeFrames } from './frames.ts';
import { ScratchNumbers } from './scratch-numbers.ts';

/** Integers of a stream are at most this far from 0, so that differences of differences are exact doubles. */
export const MAX_INTEGER = 2 ** 50;

const scratch = new ScratchNumbers();
const SAMPLED = 15;
const sampled = new Float64Array(SAMPLED);

/**
 * Writes integers as the first one and the distances from each to the next, less a usual step and divided by what divides
 * all of them. Nothing follows where all distances are the same.
 *
 *   integers = first (signed), step (signed), divisor, frames of count - 1; no frames if the divisor is 0
 */
export function writeIntegers(into: ByteWriter, integers: Float64Array, count: number): void {
  if (count === 0) return;
  const distances = scratch.of(count - 1);
  let before = integers[0] as number;
  into.signed(before);
  const first = count === 1 ? 0 : (integers[1] as number) - before;
  let isEven = true;
  for (let index = 1; index < count; index += 1) {
    const value = integers[index] as number;
    const distance = value - before;
    before = value;
    distances[index - 1] = distance;
    if (distance !== first) isEven = false;
  }
  const step = isEven ? first : usualStep(distances, count - 1);
  into.signed(step);
  if (step !== 0)
    for (let index = 0; index < count - 1; index += 1) distances[index] = at(distances, index) - step;
  const divisor = isEven ? 0 : commonDivisor(distances, count - 1);
  into.varint(divisor);
  if (divisor > 1)
    for (let index = 0; index < count - 1; index += 1) distances[index] = at(distances, index) / divisor;
  if (divisor > 0) writeFrames(into, distances, count - 1);
}

/** Reads `count` integers that `writeIntegers` has written into `integers`. */
export function readIntegers(from: ByteReader, integers: Float64Array, count: number): void {
  if (count === 0) return;
  let value = from.signed();
  const step = from.signed();
  const divisor = from.varint();
  integers[0] = value;
  if (divisor === 0) {
    for (let index = 1; index < count; index += 1) {
      value += step;
      integers[index] = value;
    }
    return;
  }
  const distances = scratch.of(count - 1);
  readFrames(from, distances, count - 1);
  for (let index = 1; index < count; index += 1) {
    value += at(distances, index - 1) * divisor + step;
    integers[index] = value;
  }
}

/**
 * The median of up to fifteen evenly spaced distances if all of these have the same sign, as of times and counters; 0 for
 * numbers that rise and fall.
 */
function usualStep(distances: Float64Array, count: number): number {
  const taken = Math.min(SAMPLED, count);
  let isRising = true;
  let isFalling = true;
  for (let index = 0; index < taken; index += 1) {
    const distance = at(distances, Math.floor((index * count) / taken));
    sampled[index] = distance;
    if (distance < 0) isRising = false;
    else if (distance > 0) isFalling = false;
    if (!isRising && !isFalling) return 0;
  }
  return at(sampled.subarray(0, taken).sort(), taken >> 1);
}

/** The greatest integer that divides all numbers, at least one of which is not 0. */
function commonDivisor(numbers: Float64Array, count: number): number {
  let divisor = 0;
  for (let index = 0; index < count && divisor !== 1; index += 1) {
    const value = Math.abs(at(numbers, index));
    if (value === 0) continue;
    if (divisor === 0) divisor = value;
    // Multiplies the rounded quotient, since the remainder of doubles takes ten times as long.
    else if (Math.round(value / divisor) * divisor !== value) divisor = greatestCommon(divisor, value);
  }
  return divisor;
}

function greatestCommon(a: number, b: number): number {
  let [divisor, rest] = [a, b % a];
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;
