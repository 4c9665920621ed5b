import { openStore, type Sql } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { expect, test } from 'vitest';
import { cleanUpAfterLoads } from './clean-up-after-load.ts';

const MESSAGE_BYTES = 100 * 2 ** 20;
const ENOUGH = { timeout: 20_000 };

const store = await storeForFile();

/** Runs `work` beside what follows loads; the second look begins once the first has ended, from which growth is measured. */
async function afterLooks(work: (admin: Sql) => Promise<void>): Promise<void> {
  const { sql } = store;
  const admin = openStore({ url: store.database.adminUrl, max: 1 });
  let looks = 0;
  const counted = ((...query: Parameters<Sql>) => {
    looks += 1;
    return sql(...query);
  }) as unknown as Sql;
  const stop = cleanUpAfterLoads({
    sql: counted,
    asAdmin: (work) => work(admin.sql),
    logger: createSilentLogger(),
    lookEveryMs: 50,
  });
  try {
    await expect.poll(() => looks, ENOUGH).toBeGreaterThan(1);
    await work(admin.sql);
  } finally {
    stop();
    await admin.close();
  }
}

test('once a load has ended, a checkpoint covers what it wrote', async () => {
  const { sql } = store;
  await afterLooks(async (admin) => {
    await admin`select pg_logical_emit_message(false, 'load', repeat('x', ${MESSAGE_BYTES}))`;
    const [written] = await sql<{ end: string }[]>`select pg_current_wal_insert_lsn() as end`;
    const isCovered = async () => {
      const [control] = await sql<{ covered: boolean }[]>`
        select redo_lsn >= ${written?.end ?? ''}::pg_lsn as covered from pg_control_checkpoint()`;
      return control?.covered;
    };
    await expect.poll(isCovered, ENOUGH).toBe(true);
  });
});

test('once seals have ended, the log that they deleted from is vacuumed', async () => {
  await afterLooks(async (admin) => {
    await admin`
      insert into tidewatch.sample_log (organization_id, bucket, seq, first, last, data)
      select 'org', 1, seq, now(), now(), '\\x00' from generate_series(1, 100) as seq`;
    await admin`delete from tidewatch.sample_log`;
    const isVacuumed = async () => {
      const [table] = await admin<{ vacuumed: boolean }[]>`
        select vacuum_count > 0 as vacuumed from pg_stat_all_tables where relid = 'tidewatch.sample_log'::regclass`;
      return table?.vacuumed;
    };
    await expect.poll(isVacuumed, ENOUGH).toBe(true);
  });
});
