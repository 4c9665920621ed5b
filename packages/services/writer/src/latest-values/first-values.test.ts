import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { SampleRows } from '@tidewatch/store/samples/sample-rows';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Block } from '../cache/block.ts';
import { observeRows } from './first-values.ts';

const NOW = 1_800_000_000_000;
const BLOCKS = 3;

/** Generated values of one block at one time, by slot; slots without a value were not reported. */
const report = fc.record({
  block: fc.nat(BLOCKS - 1),
  second: fc.integer({ min: -20, max: MAX_SKEW_MS / 1_000 + 20 }),
  values: fc.dictionary(fc.nat(4).map(String), fc.integer({ min: 0, max: 9 })),
});

test('the latest value of a metric is that of the newest row with a value, in every order of rows', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(report, { selector: ({ block, second }) => `${block} ${second}`, maxLength: 40 }),
      (reports) => {
        const blocks = Array.from({ length: BLOCKS }, (_, at) => {
          const block = new Block(0);
          // Ids in another order than that of the blocks' first rows.
          block.id = BLOCKS - at;
          block.slots = 5;
          return block;
        });
        const rows = new SampleRows<Block>();
        const naive = blocks.map(() => new Map<number, [number, number]>());
        for (const { block, second, values } of reports) {
          const time = NOW + second * 1_000;
          const row = rows.append(blocks[block] as Block, time);
          for (const [slot, value] of Object.entries(values)) {
            rows.values[row * 16 + Number(slot)] = value;
            const known = naive[block]?.get(Number(slot));
            if (time <= NOW + MAX_SKEW_MS && (known === undefined || time > known[0]))
              naive[block]?.set(Number(slot), [time, value]);
          }
        }
        observeRows(rows, NOW, (block) => block !== blocks[0]);
        for (const [at, block] of blocks.entries()) {
          const expected = at === 0 ? new Map() : naive[at];
          for (let slot = 0; slot < 16; slot++) {
            const found = Number.isNaN(block.latestValues[slot] as number)
              ? undefined
              : [block.latestTimes[slot], block.latestValues[slot]];
            expect(found).toEqual(expected?.get(slot));
          }
        }
      },
    ),
  );
});

test('observeRows calls `wanted` once for each block, and not for blocks with all rows far ahead of the clock', () => {
  const [now, ahead] = [new Block(0), new Block(0)];
  Object.assign(now, { id: 1, slots: 1 });
  Object.assign(ahead, { id: 2, slots: 1 });
  const rows = new SampleRows<Block>();
  for (const [block, time] of [
    [now, NOW],
    [ahead, NOW + MAX_SKEW_MS + 1],
    [now, NOW + 1],
    [ahead, NOW + MAX_SKEW_MS + 2],
  ] as const)
    rows.values[rows.append(block, time) * 16] = time - NOW;
  const asked: Block[] = [];
  observeRows(rows, NOW, (block) => {
    asked.push(block);
    return true;
  });
  expect(asked).toEqual([now]);
  expect(now.latestValues[0]).toBe(1);
  expect(ahead.latestValues[0]).toBeNaN();
});
