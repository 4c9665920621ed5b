import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { beforeEach, expect, it } from 'vitest';
import { sendBeforeCommit } from './before-commit.ts';
import { openStore, type Store } from './connection.ts';
import { BinaryRows } from './copy/binary-rows.ts';
import { copyBeforeCommit } from './copy/copy.ts';

let admin: TestStore;
let store: Store;

beforeEach(async () => {
  admin = await storeForTest({ max: 1 });
  store = await openForTest(openStore({ url: admin.database.adminUrl, max: 1, searchPath: 'public' }));
  await store.sql`create table marks (mark integer check (mark > 0))`;
});

const marks = async () =>
  (await store.sql<{ mark: number }[]>`select mark from marks order by 1`).map(({ mark }) => mark);

it('stores what was sent before the commit without being awaited', async () => {
  const result = await store.transactReading(async (tx) => {
    await tx`select 1`;
    await sendBeforeCommit(tx, tx`insert into marks values (${1})`);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await marks()).toEqual([1]);
});

it('fails with the error of a statement that was sent before the commit, and stores nothing', async () => {
  const failing = store.transact(async (tx) => {
    await tx`insert into marks values (1)`;
    await sendBeforeCommit(tx, tx`insert into marks values (${0})`);
    await sendBeforeCommit(tx, tx`insert into marks values (${2})`);
  });
  await expect(failing).rejects.toMatchObject({ code: '23514' });
  expect(await marks()).toEqual([]);
});

it('fails with the first error, not with that of a statement which followed', async () => {
  const failing = store.transact(async (tx) => {
    await sendBeforeCommit(tx, tx`insert into marks values (${0})`);
    await tx`select 1`;
  });
  await expect(failing).rejects.toMatchObject({ code: '23514' });
  const thrown = store.transact(async (tx) => {
    await sendBeforeCommit(tx, tx`insert into marks values (${3})`);
    throw new Error('left out');
  });
  await expect(thrown).rejects.toThrow('left out');
  expect(await marks()).toEqual([]);
});

it('stores all or nothing if the connection is lost while the last statement and the commit are sent', async () => {
  const lost = store.transact(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await tx`insert into marks values (1)`;
    await admin.sql`select pg_terminate_backend(${row?.pid as number}, 1000)`;
    await sendBeforeCommit(tx, tx`insert into marks values (${2})`);
  });
  await expect(lost).rejects.toThrow();
  await store.transact((tx) => sendBeforeCommit(tx, tx`insert into marks values (${3})`));
  expect(await marks()).toEqual([3]);
});

it('commits what is left after a statement that failed was rolled back to a savepoint', async () => {
  await store.transact(async (tx) => {
    await tx`insert into marks values (1)`;
    await tx`savepoint before_failure`;
    await sendBeforeCommit(tx, tx`insert into marks values (${0})`);
    await tx`select 1`.catch(() => undefined);
    await tx`rollback to savepoint before_failure`;
  });
  expect(await marks()).toEqual([1]);
});

it.each([
  ['a few rows with the commit', 100],
  ['many rows before it', 20_000],
])('copies %s, after the statements that precede the COPY', async (_, count) => {
  const rows = new BinaryRows();
  for (let mark = 1; mark <= count; mark += 1) {
    rows.row(1, 8);
    rows.int4(mark);
  }
  await store.transact(async (tx) => {
    const statements = `create temp table if not exists staged (like marks) on commit delete rows;
      copy staged (mark) from stdin (format binary)`;
    await copyBeforeCommit(tx, statements, rows.finish());
    await sendBeforeCommit(tx, tx`insert into marks select * from staged`);
  });
  expect(await marks()).toHaveLength(count);
});
