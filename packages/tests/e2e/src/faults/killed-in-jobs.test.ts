import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseHome, readPasswords } from '@tidewatch/standalone/data-directory/data-directory';
import { connectAdmin, DATABASE } from '@tidewatch/standalone/database';
import { expect, test } from 'vitest';
import { uniqueName } from '../client.ts';
import { openProduct } from '../scenario.ts';
import { createNumberedLoad } from './numbered-load.ts';

const METRICS = 10;
const DAY_MS = 86_400_000;

const { product, client } = await openProduct({
  TIDEWATCH_TEST_SAMPLE_LAYOUT: 'log',
  TIDEWATCH_TEST_SEAL_MS: '1000',
});
const host = uniqueName('killed-in-jobs');
const startsAt = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
const load = createNumberedLoad(client, { host, metrics: METRICS, payloads: 20, connections: 4, startsAt });

type Admin = ReturnType<typeof connectAdmin>;

async function asAdmin<R>(work: (sql: Admin['sql']) => Promise<R>): Promise<R> {
  const { postgres: password } = readPasswords(product.dataDir);
  const admin = connectAdmin(join(databaseHome(product.dataDir), 'run'), 5432, password, DATABASE);
  return work(admin.sql).finally(() => admin.close());
}

/** Kills every process of the product while a job waits to write to `table`, with everything that it wrote before. */
async function killWhereItWrites(table: string, meanwhile: () => Promise<void>): Promise<void> {
  await asAdmin(async (sql) => {
    const held = sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in exclusive mode`;
      await meanwhile();
      const waits = () => tx`select from pg_locks where relation = ${table}::regclass and not granted`;
      await expect.poll(waits).not.toHaveLength(0);
      await product.kill();
    });
    await expect(held).rejects.toThrow();
  });
  await product.start();
}

/** The number and the sum of the samples of the load by the function for tools of users. */
async function recountBySql(sql: Admin['sql']): Promise<{ samples: number; sum: number }> {
  await sql`insert into reader_logins (organization_id, login) select id, session_user from organizations on conflict do nothing`;
  const [found] = await sql<{ samples: number; sum: number }[]>`
    select count(*)::float8 as samples, sum(s.value) as sum
    from generate_series(0, ${METRICS - 1}::integer) m
    cross join lateral samples_of(${host}, 'm' || m, '-infinity', 'infinity') s`;
  return found as { samples: number; sum: number };
}

test('a product that is killed in a seal, and in the closing of a day, has every accepted sample once', async () => {
  await killWhereItWrites('sample_buckets', async () => {
    const until = performance.now() + 2_000;
    await load.run(() => performance.now() > until);
  });
  await load.finish();
  expect(await load.recount()).toEqual(load.expected());
  await killWhereItWrites('closed_days', async () => {
    let sent = 0;
    await load.run(() => ++sent > 50);
  });
  await load.finish();
  expect(await load.recount()).toEqual(load.expected());
  await asAdmin(async (sql) => {
    const left = () => sql`
      select from sample_chunks c where not exists (
        select from closed_days d where d.day = c.first::date and d.closed_to = 2147483647)
      union all select from sample_log limit 1`;
    for (const until = performance.now() + 60_000; performance.now() < until; await sleep(500))
      if ((await left()).length === 0) break;
    expect(await left()).toHaveLength(0);
    expect(await recountBySql(sql)).toEqual(load.expected());
  });
  expect(await load.recount()).toEqual(load.expected());
});
