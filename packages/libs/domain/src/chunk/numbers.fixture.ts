import fc from 'fast-check';

/** Doubles that are easily lost: both zeros, the least and the greatest, and those at the ends of exact integers. */
export const HARD_NUMBERS = [
  0,
  -0,
  5e-324,
  -5e-324,
  2.225_073_858_507_201e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.EPSILON,
  2 ** 50,
  2 ** 50 + 1,
  -(2 ** 50) - 1,
  2 ** 53,
  -(2 ** 53) + 1,
  0.1 + 0.2,
  1e-6,
  1e-7,
  1e21,
] as const;

const hard = fc.constantFrom(...HARD_NUMBERS);
const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 7 }))
  .map(([integer, scale]) => integer / 10 ** scale);

/** One number of any kind. */
export const anyNumber = fc.oneof(decimal, anyDouble, hard);

/** A rule by which a number follows from the one before, so that widths, steps and divisors of all sizes occur. */
const kinds = fc.constantFrom('constant', 'walk', 'counter', 'pages', 'jumps', 'mixed');

/** A column of `count` numbers like those of real metrics, with NaN for about `gaps` in a hundred of them. */
export function columnOf(count: number, gaps: number): fc.Arbitrary<Float64Array> {
  const numbers = fc.array(anyNumber, { minLength: count, maxLength: count });
  const steps = fc.array(fc.integer({ min: -128, max: 128 }), { minLength: count, maxLength: count });
  const holes = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: count, maxLength: count });
  return fc.tuple(kinds, numbers, steps, holes, decimal).map(([kind, mixed, walk, drawn, first]) => {
    let value = Math.round(first * 100);
    return Float64Array.from(mixed, (number, row) => {
      const step = walk[row] as number;
      if (kind === 'walk') value += step;
      if (kind === 'counter') value += 1_000 + step;
      if (kind === 'pages') value += step * 4_096;
      if (kind === 'jumps') value += step > 120 ? step * 2 ** 33 : 0;
      if ((drawn[row] as number) < gaps) return Number.NaN;
      return kind === 'mixed' ? number : kind === 'walk' ? value / 100 : value;
    });
  });
}

/** The bits of numbers, by which -0 differs from 0. */
export const bitsOf = (numbers: Float64Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('hex');
