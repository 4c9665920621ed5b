import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { Lease, LeaseLostError } from './lease.ts';

const store = await storeForFile({ as: 'product' });

let leases = 0;
function rivals() {
  const name = `work-${++leases}`;
  const open = (holder: string) => new Lease({ sql: store.sql, name, holder });
  const expire = () =>
    store.sql`update leases set expires_at = now() - interval '1 second' where name = ${name}`;
  return { one: open('one'), two: open('two'), expire };
}

test('a lease is held by one of two processes, and by the other after its release', async () => {
  const { one, two } = rivals();
  expect([await one.held(), await two.held(), await one.held()]).toEqual([true, false, true]);
  await one.release();
  expect([await two.held(), await one.held()]).toEqual([true, false]);
});

test('an expired lease is taken over, and its former holder can no longer write', async () => {
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

test('a transaction of the holder keeps and renews its lease, however long it takes', async () => {
  const { one, two, expire } = rivals();
  await one.held();
  await expire();
  await store.transact(async (tx) => {
    await one.fence(tx);
    expect(await two.held()).toBe(false);
  });
  expect(await two.held()).toBe(false);
});

test('a transaction that is rolled back does not renew the lease', async () => {
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

test('a process that is alone holds its leases without a row in the database', async () => {
  const lease = new Lease({ sql: store.sql, name: 'work-alone', holder: 'one', isAlone: true });
  expect(await lease.held()).toBe(true);
  await store.transact((tx) => lease.fence(tx));
  expect(await store.sql`select from leases where name = 'work-alone'`).toHaveLength(0);
  await lease.release();
  expect(await lease.held()).toBe(true);
});
