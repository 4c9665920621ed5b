import { openStore, type Store } from '@tidewatch/database/connection';
import { startDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lease, LeaseLostError } from './lease.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await startDatabase();
  store = openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.close();
});

let leases = 0;
function rivals() {
  const name = `work-${++leases}`;
  const open = (holder: string) => new Lease({ sql: store.sql, name, holder });
  const expire = () =>
    store.sql`update leases set expires_at = now() - interval '1 second' where name = ${name}`;
  return { one: open('one'), two: open('two'), expire };
}

test('one of two has it, the other once it was given back', async () => {
  const { one, two } = rivals();
  expect([await one.held(), await two.held(), await one.held()]).toEqual([true, false, true]);
  await one.release();
  expect([await two.held(), await one.held()]).toEqual([true, false]);
});

test('is taken over when it has expired, and its former holder can write no more', async () => {
  const { one, two, expire } = rivals();
  await one.held();
  await expire();
  expect(await two.held()).toBe(true);
  const work = store.transact(async (tx) => {
    await one.fence(tx);
    await tx`create table done_without_a_lease ()`;
  });
  await expect(work).rejects.toBeInstanceOf(LeaseLostError);
  expect(await one.held()).toBe(false);
});

test('a holder at work keeps it however long that takes, and its work renews it', async () => {
  const { one, two, expire } = rivals();
  await one.held();
  await expire();
  await store.transact(async (tx) => {
    await one.fence(tx);
    expect(await two.held()).toBe(false);
  });
  expect(await two.held()).toBe(false);
});

test('work that is rolled back renews nothing', async () => {
  const { one, two, expire } = rivals();
  await one.held();
  await expire();
  await store
    .transact(async (tx) => {
      await one.fence(tx);
      throw new Error('lost');
    })
    .catch(() => {});
  expect(await two.held()).toBe(true);
});
