import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from './connection.ts';
import { sendAhead } from './send-ahead.ts';

let admin: TestStore;
let store: Store;

beforeEach(async () => {
  admin = await storeForTest({ max: 1 });
  store = await openForTest(openStore({ url: admin.database.url }));
});

it('a statement that is sent ahead returns its result when it is awaited', async () => {
  const answer = await store.transact(async (tx) => {
    const ahead = sendAhead(tx<{ one: number }[]>`select 1 as one`);
    await tx`select 2`;
    return (await ahead)[0]?.one;
  });
  expect(answer).toBe(1);
});

it('a statement that is sent ahead fails without an unhandled rejection if the connection is lost before it is awaited', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', note);
  try {
    const transaction = store.transact(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await admin.sql`select pg_terminate_backend(${row?.pid as number}, 1000)`;
      const ahead = sendAhead(tx`savepoint before_more`);
      await tx`select 1`;
      await ahead;
    });
    await expect(transaction).rejects.toThrow();
    // Waits one turn, at whose end Node reports unhandled rejections.
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
