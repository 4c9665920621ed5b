import { DOUBLES, FACTORS, scaleNumbers } from '../chunk/numbers.ts';
import { ScratchNumbers } from '../chunk/scratch-numbers.ts';
import { summand } from './summand.ts';

/** Partial sums of integers of at most 2^50 are exact while they are taken out at this size. */
const MAX_PARTIAL = 2 ** 52;

const scratch = new ScratchNumbers();

/**
 * The sum of `numbers[from … to)`, none of which is NaN. Where all of them are decimals as a column stores them, it is the
 * double nearest to the exact sum of these decimals, whatever their order: 57.1 six times is 342.6. Otherwise
 * it adds doubles in their order, each limited by `summand`.
 */
export function exactSum(numbers: Float64Array, from: number, to: number): number {
  const own = numbers.subarray(from, to);
  const integers = scratch.of(own.length);
  const scale = scaleNumbers(own, own.length, integers);
  if (scale !== DOUBLES) return sumOfScaled(integers, 0, own.length, scale);
  let sum = 0;
  for (const value of own) sum += summand(value);
  return sum;
}

/** The double nearest to the sum of `integers[from … to)`, each at most 2^50, divided by ten to the power of `scale`. */
export function sumOfScaled(integers: Float64Array, from: number, to: number, scale: number): number {
  let taken = 0n;
  let partial = 0;
  for (let index = from; index < to; index += 1) {
    partial += integers[index] as number;
    if (partial > MAX_PARTIAL || partial < -MAX_PARTIAL) {
      taken += BigInt(partial);
      partial = 0;
    }
  }
  // The quotient of two exact doubles is rounded once, as is a number that is read from its digits.
  return taken === 0n ? partial / (FACTORS[scale] as number) : Number(`${taken + BigInt(partial)}e-${scale}`);
}
