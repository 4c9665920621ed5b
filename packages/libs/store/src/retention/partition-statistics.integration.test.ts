import { storeForTest } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';

it('ANALYZE of a new partition computes statistics of its key columns only', async () => {
  const { sql } = await storeForTest();
  const from = Date.UTC(2026, 10, 21);
  for (const table of ['samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots'])
    await sql`select ensure_partition(${table}, ${from}, ${from + 86_400_000})`;
  await sql`insert into samples ("time", block_id, v0) select ${from}::timestamptz, n, n from generate_series(1, 500) n`;
  await sql`insert into rollup_1m (bucket, block_id, sum0, cnt0) select ${from}::timestamptz, n, n, 1 from generate_series(1, 500) n`;
  await sql`analyze samples_20261121`;
  await sql`analyze rollup_1m_20261121`;
  const analyzed = await sql<{ tablename: string; columns: string }[]>`
    select tablename, string_agg(attname, ' ' order by attname) as columns from pg_stats
    where tablename in ('samples_20261121', 'rollup_1m_20261121') group by 1 order by 1`;
  expect([...analyzed]).toEqual([
    { tablename: 'rollup_1m_20261121', columns: 'block_id bucket' },
    { tablename: 'samples_20261121', columns: 'block_id time' },
  ]);
});
