import { startDatabase, type TestDatabase } from '@tidewatch/testkit/postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../connection.ts';
import { sendAhead } from '../send-ahead.ts';
import { BinaryRows } from './binary-rows.ts';
import { CopyRefusedError, copyInto } from './copy.ts';

const ROWS = 300_000;
const COPY = 'copy numbers (n) from stdin (format binary)';
let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await startDatabase();
  store = openStore({ url: database.adminUrl, max: 1, searchPath: 'public' });
  await store.sql`create table numbers (n integer primary key)`;
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});
beforeEach(async () => {
  await store.sql`truncate numbers`;
});

/** Numbers from zero on, in pieces of one memory; `at` is called before each number. */
function* numbers(count: number, at: (n: number) => void = () => {}): Generator<Uint8Array> {
  const rows = new BinaryRows();
  for (let n = 0; n < count; n += 1) {
    if (rows.isFull) yield rows.take();
    at(n);
    rows.row(1, 8);
    rows.int4(n);
  }
  yield rows.finish();
}

const storedAsText = async () =>
  (await store.sql`select string_agg(n::text, ',' order by n) as text from numbers`)[0]?.['text'];

test.each([1, 100, 5_000, 50_000])('%i rows of one piece arrive', async (count) => {
  await store.transact((tx) => copyInto(tx, COPY, numbers(count)));
  expect(await storedAsText()).toBe(Array.from({ length: count }, (_, n) => n).join(','));
});

test('few rows of which one is forbidden are refused as a whole, and the transaction goes on from its savepoint', async () => {
  await store.sql`insert into numbers values (2)`;
  await store.transact(async (tx) => {
    const saved = sendAhead(tx`savepoint before`);
    await expect(copyInto(tx, COPY, numbers(5))).rejects.toBeInstanceOf(CopyRefusedError);
    await saved;
    await tx`rollback to savepoint before`;
    await copyInto(tx, COPY, numbers(2));
  });
  expect(await storedAsText()).toBe('0,1,2');
});

test('few rows for a table that is not there fail with what the server says, and the connection is good for the next', async () => {
  const lost = store.transact((tx) => copyInto(tx, 'copy letters from stdin', [Buffer.from('a\n')]));
  await expect(lost).rejects.toMatchObject({ code: '42P01' });
  const wrong = store.transact((tx) => copyInto(tx, 'copy numbers from stdin', [Buffer.from('x\n')]));
  await expect(wrong).rejects.toMatchObject({ code: '22P02' });
  await store.transact((tx) => copyInto(tx, COPY, numbers(3)));
  expect(await storedAsText()).toBe('0,1,2');
});

const stored = async () => (await store.sql`select count(*)::int, sum(n)::float8 from numbers`)[0];
const all = { count: ROWS, sum: (ROWS * (ROWS - 1)) / 2 };

test('rows of many pieces that share their memory arrive as they are, and the event loop turns in between', async () => {
  let turns = 0;
  const seen = new Set<number>();
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await store.transact((tx) =>
    copyInto(
      tx,
      COPY,
      numbers(ROWS, () => seen.add(turns)),
    ),
  );
  clearInterval(timer);
  expect(seen.size).toBeGreaterThan(1);
  expect(await stored()).toEqual(all);
});

test('a row that is forbidden ends the sending, and the transaction goes on from its savepoint', async () => {
  await store.sql`insert into numbers values (10)`;
  await store.transact(async (tx) => {
    await tx`savepoint before`;
    await expect(copyInto(tx, COPY, numbers(ROWS))).rejects.toBeInstanceOf(CopyRefusedError);
    await tx`rollback to savepoint before`;
    await tx`truncate numbers`;
    await copyInto(tx, COPY, numbers(ROWS));
  });
  expect(await stored()).toEqual(all);
});

test('rows that cannot be made fail the whole, and the connection is good for the next', async () => {
  const failing = numbers(ROWS, (n) => {
    if (n === ROWS - 1) throw new Error('no such number');
  });
  await expect(store.transact((tx) => copyInto(tx, COPY, failing))).rejects.toThrow('no such number');
  expect(await stored()).toEqual({ count: 0, sum: null });
  await store.transact((tx) => copyInto(tx, COPY, numbers(ROWS)));
  expect(await stored()).toEqual(all);
});
