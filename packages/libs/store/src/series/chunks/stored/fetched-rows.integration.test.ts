import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { packDays, writeDays } from '../../../sample-days/block-days.ts';
import { BlockColumns } from './block-columns.ts';
import { SAMPLE_DAYS } from './day-relations.ts';
import { DecodedPiece, readParts } from './fetched-rows.ts';
import { readStored } from './stored-rows.ts';

const DAY = Date.UTC(2026, 10, 29);
const EVERY = { from: DAY, to: DAY + DAY_MS };
const ROWS = 8_000;
const { sql, transact } = await storeForFile({ sampleLayout: 'log' });
const random = createRandom(5);

/** A day of two slots at uneven times, whose head and columns are longer than what is read first. */
const columnsOf = () => ({
  times: Float64Array.from({ length: ROWS }, (_, row) => DAY + row * 10_000 + Math.floor(random() * 9_000)),
  slots: [0, 1].map(() => Float64Array.from({ length: ROWS }, () => Math.floor(random() * 1e5) / 100)),
});

async function write(blockId: number, columns: ReturnType<typeof columnsOf>): Promise<void> {
  const packed = await packDays([{ blockId, day: DAY, columns }]);
  await transact((tx) => writeDays(tx, packed));
}

async function readBeginnings() {
  const spans = [1, 2, 3].map((blockId) => ({ blockId, ...EVERY, isWhole: false }));
  const { rows } = await readStored(sql, { log: null, chunks: [], rows: [{ relation: SAMPLE_DAYS, spans }] });
  return rows.sort((a, b) => a.blockId - b.blockId);
}

test('reads a slot of large rows without the others, and again what was replaced or removed in between', async () => {
  const [first, second] = [columnsOf(), columnsOf()];
  for (const blockId of [1, 2, 3]) await write(blockId, first);
  const beginnings = await readBeginnings();
  expect(beginnings.map(({ bytes, size }) => bytes.length < 200 && size > 4_096)).toEqual([true, true, true]);
  await write(2, second);
  await sql`delete from sample_days where block_id = 3`;
  const fetched = await readParts(sql, beginnings, () => 0b10);
  const samples = fetched.map(
    (row) => row && new BlockColumns([DecodedPiece.ofRow(row)], undefined).samples(1, EVERY),
  );
  expect(samples).toEqual([
    { times: first.times, values: first.slots[1] },
    { times: second.times, values: second.slots[1] },
    null,
  ]);
  expect(fetched.map((row) => row && [...(row.parts?.keys() ?? ['all'])])).toEqual([[1], ['all'], null]);
});

test('reads few large rows whole at once, and only the beginnings of many', async () => {
  await write(4, columnsOf());
  const read = async (days: number) => {
    const span = { blockId: 4, from: DAY - (days - 1) * DAY_MS, to: DAY + DAY_MS, isWhole: false };
    const { rows } = await readStored(sql, {
      log: null,
      chunks: [],
      rows: [{ relation: SAMPLE_DAYS, spans: [span] }],
    });
    return rows.map(({ bytes, size }) => bytes.length === size);
  };
  expect(await read(1)).toEqual([true]);
  expect(await read(30)).toEqual([false]);
});
