import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { CopyRefusedError, copyInTurn, copyInto } from '@tidewatch/database/copy/copy';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, beforeEach, expect, test } from 'vitest';

const ROWS = 300_000;
const COPY = 'copy numbers (n) from stdin (format binary)';

const store = await storeForFile({ max: 1, searchPath: 'public' });
beforeAll(async () => {
  await store.sql`create table numbers (n integer primary key)`;
  await store.sql`create table others (n integer primary key)`;
});
beforeEach(() => store.sql`truncate numbers, others`);

/** Yields COPY data of the numbers from 0 on, in pieces that share memory; `at` is called before each number. */
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

test.each([1, 100, 5_000, 50_000])('a COPY stores %i rows of one piece', async (count) => {
  await store.transact((tx) => copyInto(tx, COPY, numbers(count)));
  expect(await storedAsText()).toBe(Array.from({ length: count }, (_, n) => n).join(','));
});

test('a COPY of few rows is refused as a whole if one row is forbidden, and the transaction continues from its savepoint', async () => {
  await store.sql`insert into numbers values (2)`;
  await store.transact(async (tx) => {
    const refused = copyInto(tx, `savepoint before; ${COPY}`, numbers(5));
    await expect(refused).rejects.toBeInstanceOf(CopyRefusedError);
    await tx`rollback to savepoint before`;
    await copyInto(tx, COPY, numbers(2));
  });
  expect(await storedAsText()).toBe('0,1,2');
});

const OTHER = 'copy others (n) from stdin (format binary)';
/** The number of rows of each table. */
const counts = async () =>
  (
    await store.sql`
      select (select count(*)::int from numbers) as numbers, (select count(*)::int from others) as others`
  )[0];

test.each([
  [5, 7],
  [10_000, 7],
  [5, ROWS],
  [ROWS, 7],
  [ROWS, ROWS],
])(
  'copies of %i and %i rows arrive behind a savepoint, though they share their memory',
  async (few, many) => {
    const shared = new BinaryRows();
    const rows = function* (count: number, from: number) {
      shared.reset();
      for (let n = 0; n < count; n += 1) {
        if (shared.isFull) yield shared.take();
        shared.row(1, 8);
        shared.int4(from + n);
      }
      yield shared.finish();
    };
    await store.transact((tx) =>
      copyInTurn(tx, [
        { statement: `savepoint before; ${COPY}`, pieces: rows(few, 0) },
        { statement: OTHER, pieces: rows(many, 1_000_000) },
      ]),
    );
    expect(await counts()).toEqual({ numbers: few, others: many });
    const [first] = await store.sql`
    select (select max(n) from numbers)::int as numbers, (select max(n) from others)::int as others`;
    expect(first).toEqual({ numbers: few - 1, others: 1_000_000 + many - 1 });
  },
);

test.each([
  ['the first', 'numbers', 5, 7],
  ['the first, which fills the socket', 'numbers', 10_000, 7],
  ['the second', 'others', 5, 7],
  ['the first of many rows', 'numbers', ROWS, 7],
  ['the second of many rows', 'others', 5, ROWS],
])(
  'where %s is refused nothing of both is stored, and the transaction goes on from its savepoint',
  async (_, table, few, many) => {
    await store.sql`insert into ${store.sql(table)} values (2)`;
    await store.transact(async (tx) => {
      const refused = copyInTurn(tx, [
        { statement: `savepoint before; ${COPY}`, pieces: numbers(few) },
        { statement: OTHER, pieces: numbers(many) },
      ]);
      await expect(refused).rejects.toBeInstanceOf(CopyRefusedError);
      await tx`rollback to savepoint before`;
      await tx`delete from ${tx(table)}`;
      await copyInTurn(tx, [
        { statement: COPY, pieces: numbers(2) },
        { statement: OTHER, pieces: numbers(3) },
      ]);
    });
    expect(await counts()).toEqual({ numbers: 2, others: 3 });
  },
);

test('several COPY statements fail with the error of the first that fails', async () => {
  const failing = store.transact((tx) =>
    copyInTurn(tx, [
      { statement: 'copy letters from stdin', pieces: [Buffer.from('a\n')] },
      { statement: OTHER, pieces: numbers(3) },
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: '42P01' });
  expect(await counts()).toEqual({ numbers: 0, others: 0 });
});

test('COPY statements that wait for their answer all fail when the connection is lost', async () => {
  const other = await openForTest(openStore({ url: store.database.adminUrl, max: 1, searchPath: 'public' }));
  const connections = async () =>
    (
      await other.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`
    ).map(({ pid }) => pid);
  let lost = 0;
  let before: number[] = [];
  const transaction = store.transact(async (tx) => {
    [{ pid: lost }] = (await tx`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
    await other.transact(async (locking) => {
      await locking`lock table numbers`;
      before = await connections();
      // The first COPY fills the socket, so that the driver buffers the second.
      const copies = copyInTurn(tx, [
        { statement: COPY, pieces: numbers(10_000) },
        { statement: OTHER, pieces: numbers(3) },
      ]);
      copies.catch(() => undefined);
      await sleep(50);
      await other.sql`select pg_terminate_backend(${lost}, 1000)`;
      await copies;
    });
  });
  await expect(transaction).rejects.toThrow(/ECONNRESET|EPIPE|CONNECTION_CLOSED|terminating/);
  await sleep(300);
  expect(before).toContain(lost);
  const after = await connections();
  expect(after.filter((pid) => !before.includes(pid))).toEqual([]);
  await store.transact((tx) => copyInto(tx, COPY, numbers(3)));
  expect(await counts()).toEqual({ numbers: 3, others: 0 });
});

test('a COPY of few rows into a missing table fails with the server’s error, and the connection remains usable', async () => {
  const lost = store.transact((tx) => copyInto(tx, 'copy letters from stdin', [Buffer.from('a\n')]));
  await expect(lost).rejects.toMatchObject({ code: '42P01' });
  const wrong = store.transact((tx) => copyInto(tx, 'copy numbers from stdin', [Buffer.from('x\n')]));
  await expect(wrong).rejects.toMatchObject({ code: '22P02' });
  await store.transact((tx) => copyInto(tx, COPY, numbers(3)));
  expect(await storedAsText()).toBe('0,1,2');
});

const stored = async () => (await store.sql`select count(*)::int, sum(n)::float8 from numbers`)[0];
const all = { count: ROWS, sum: (ROWS * (ROWS - 1)) / 2 };

test('a COPY stores the rows of many pieces that share memory unchanged, and yields to the event loop between them', async () => {
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

test('a forbidden row ends a long COPY, and the transaction continues from its savepoint', async () => {
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

test('a COPY fails as a whole if its rows cannot be made, and the connection remains usable', async () => {
  const failing = numbers(ROWS, (n) => {
    if (n === ROWS - 1) throw new Error('no such number');
  });
  await expect(store.transact((tx) => copyInto(tx, COPY, failing))).rejects.toThrow('no such number');
  expect(await stored()).toEqual({ count: 0, sum: null });
  await store.transact((tx) => copyInto(tx, COPY, numbers(ROWS)));
  expect(await stored()).toEqual(all);
});
