import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputOrder } from './output-order.ts';

it('sorts lists of the same length that were in the same order before, and in others', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(50), { maxLength: 8 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(lists, (all) => {
      const order = new OutputOrder((one, other) => one - other);
      for (const list of [...all, ...all.map((each) => each.map((number) => 2 * number))])
        expect(order.sorted(list)).toEqual(list.toSorted((one, other) => one - other));
    }),
  );
});

it('sorts lists of more lengths than it keeps', () => {
  const order = new OutputOrder((one, other) => one - other);
  for (let length = 2; length < 200; length += 1) {
    const list = Array.from({ length }, (_, index) => length - index);
    expect(order.sorted(list)).toEqual(list.toReversed());
  }
});
