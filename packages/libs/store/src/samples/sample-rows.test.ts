import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SampleRows } from './sample-rows.ts';

test('sample rows are sorted by block and time, and rows of the same block and time keep their order', () => {
  const row = fc.record({ block: fc.integer({ min: 0, max: 6 }), time: fc.integer({ min: 0, max: 9 }) });
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(ids, fc.array(row, { maxLength: 60 }), (blockIds, staged) => {
      const blocks = blockIds.map((id) => ({ id }));
      const rows = new SampleRows<{ id: number }>();
      const naive = staged.map(({ block, time }, place) => {
        const of = blocks[block] as { id: number };
        rows.append(of, time);
        return { id: of.id, time, place };
      });
      naive.sort((a, b) => a.id - b.id || a.time - b.time || a.place - b.place);
      expect([...rows.sorted()]).toEqual(naive.map(({ place }) => place));
    }),
  );
});
