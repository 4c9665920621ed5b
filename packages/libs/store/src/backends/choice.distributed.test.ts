import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { openStore, type Store } from '@tidewatch/database/connection';
import { startBackendDatabase, startEmptyTimescaleDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../schema/migrate.ts';
import { readOfferedBackend, readRecordedBackend } from './choice.ts';
import { openStorageBackend } from './open-storage-backend.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;
const NOW = Date.UTC(2026, 10, 21);

describe.skipIf(timescale.state === 'lacked')('[needs Timescale] the backend of a database', () => {
  async function connect(starting: Promise<TestDatabase>): Promise<Store> {
    const database = await openForTest(starting);
    return openForTest(openStore({ url: database.adminUrl, max: 2 }));
  }

  it('of an empty database is the fullest that the server offers, and is opened as such', async () => {
    const { sql } = await connect(startEmptyTimescaleDatabase());
    await migrate(sql);
    expect(await readRecordedBackend(sql)).toBe(served.at(-1));
    expect((await openStorageBackend(sql, DEFAULT_RETENTION_DAYS)).name).toBe(served.at(-1));
    const relations = await sql<{ name: string }[]>`
      select hypertable_name as name from timescaledb_information.hypertables
      where hypertable_schema = 'tidewatch' order by 1`;
    expect(relations.map((relation) => relation.name)).toEqual(
      expect.arrayContaining(['samples', 'snapshots']),
    );
  });

  it('stays plain if it was created as plain, and no other is accepted', async () => {
    const { sql } = await connect(startBackendDatabase('plain'));
    expect(await migrate(sql)).toEqual([]);
    expect(await readRecordedBackend(sql)).toBe('plain');
    expect(await readOfferedBackend(sql)).not.toBe('plain');
    expect((await openStorageBackend(sql, DEFAULT_RETENTION_DAYS)).name).toBe('plain');
    await expect(migrate(sql, { backend: 'apache' })).rejects.toMatchObject({
      code: 'storage_backend',
      message: expect.stringContaining('docs/storage-backends.md'),
    });
  });
});

/** The policies of the community edition, with the days after which each applies. */
function policiesAfter(rollups: number, backfill: number, drop: number): string[] {
  return [
    `policy_compression rollup_1d ${rollups} days`,
    `policy_compression rollup_1h ${rollups} days`,
    `policy_compression rollup_1m ${rollups} days`,
    'policy_compression samples 2 days',
    `policy_compression samples_backfill ${backfill} days`,
    `policy_retention rollup_1d ${drop} days`,
    `policy_retention samples_backfill ${drop} days`,
    'policy_retention snapshots 2 days',
  ];
}

describe.skipIf(!served.includes('community'))('[needs Timescale Community] the community edition', () => {
  it('has hierarchical continuous aggregates, and policies that follow the settings', async () => {
    const database = await openForTest(startBackendDatabase('community'));
    const store = await openForTest(openStore({ url: database.url, max: 2 }));
    const { sql } = store;
    const aggregates = await sql`
      select view_name as name, materialized_only, compression_enabled
      from timescaledb_information.continuous_aggregates order by 1`;
    expect(aggregates).toEqual(
      ['rollup_1d', 'rollup_1h', 'rollup_1m'].map((name) => ({
        name,
        materialized_only: true,
        compression_enabled: true,
      })),
    );
    const policies = async () => {
      const rows = await sql<{ text: string }[]>`
        select format('%s %s %s', proc_name, hypertable_name,
          coalesce(config ->> 'compress_after', config ->> 'drop_after')) as text
        from timescaledb_information.jobs where hypertable_schema = 'tidewatch' order by 1`;
      return rows.map((row) => row.text);
    };
    await (await openStorageBackend(sql, DEFAULT_RETENTION_DAYS)).ensurePartitions(NOW);
    expect(await policies()).toEqual(policiesAfter(8, 7, 1826));
    const shorter = { ...DEFAULT_RETENTION_DAYS, raw: 3, '1d': 900 };
    await (await openStorageBackend(sql, shorter)).ensurePartitions(NOW);
    expect(await policies()).toEqual(policiesAfter(4, 3, 900));
  });
});
