import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SmallNumbers } from './small-numbers.ts';

it('keeps numbers of any size, and those that replace them', () => {
  const number = fc.oneof(fc.nat(10), fc.integer({ min: 65_530, max: 65_540 }), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(7), number)), (steps) => {
      const numbers = new SmallNumbers(4);
      numbers.grow(8);
      const expected = new Array<number>(8).fill(0);
      for (const [at, each] of steps) {
        numbers.set(at, each);
        expected[at] = each;
        expect(expected.map((_, index) => numbers.of(index))).toEqual(expected);
      }
    }),
  );
});
