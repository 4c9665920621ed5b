import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { BlockRemovedError } from '@tidewatch/store/retention/dead-blocks';
import { beforeEach, describe, expect, it } from 'vitest';
import { LatestFlush } from '../latest-values/latest-flush.ts';
import { readSamples } from '../testing/recount.ts';
import { createCounting, type Harness, openHarness } from '../testing/writer.harness.ts';
import { createWriterMeters } from '../writer-metrics.ts';
import { createJobs } from './jobs.ts';
import { createMaintenance, type Maintenance, type MaintenanceOptions } from './maintenance.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
const YEAR = 366 * DAY_MS;

let database: TestDatabase;
let harness: Harness;
let options: MaintenanceOptions;
let maintenance: Maintenance;
beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
  harness = await openForTest(openHarness(database.url, NOW));
  const { sql } = harness.store;
  options = {
    sql,
    clock: () => harness.now,
    backend: await openStorageBackend(sql, DEFAULT_RETENTION_DAYS),
    retention: DEFAULT_RETENTION_DAYS,
    meters: createWriterMeters(createCounting().metrics),
    logger: createSilentLogger(),
  };
  maintenance = createMaintenance(options);
});

const unfenced = async () => {};
const at = (time: number, more: Partial<Payload> = {}): Payload => ({
  host: 'web-01',
  time,
  ...metricsOf({ cpu: 1 }),
  ...more,
});
const withContainer = { containers: [{ name: 'api', cpu_percent: 5 }] };
const blocks = () => harness.store.sql<{ id: number; subject_name: string }[]>`
  select id, subject_name from blocks order by id`;

/** Applies retention for each year until `time`. */
async function age(time: number): Promise<void> {
  harness.now = time;
  await harness.writer.settle();
  await maintenance.retain(unfenced);
  await harness.writer.settle();
  await maintenance.retain(unfenced);
}

async function ageAndCollect(time: number): Promise<void> {
  await age(time);
  await maintenance.collectBlocks(unfenced);
}

it('a minute that its writer appends during a rollup keeps the values of the writer', async () => {
  const minute = NOW - 30_000 - MINUTE_MS;
  for (const second of [-20, -10, 0, 10, 20, 30, 40]) await harness.send([at(minute + second * 1_000)]);
  await maintenance.recover();
  const { sql } = harness.store;
  let settling: Promise<void> | undefined;
  await sql.begin(async (tx) => {
    await tx`
      insert into samples ("time", block_id, v0) select ${minute + 50_000}::timestamptz, id, 1 from blocks`;
    await tx`
      insert into rollup_1m (bucket, block_id, sum0, cnt0, min0, max0)
      select ${minute}::timestamptz, id, 6, 6, 1, 1 from blocks`;
    settling = harness.writer.settle();
    // The rollup has read the samples and waits for the lock of the row.
    const waiting = async () =>
      (
        await sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%rollup_1m%'`
      ).length;
    await expect.poll(waiting).toBeGreaterThan(0);
  });
  await settling;
  const rows = await sql<{ cnt0: number }[]>`
    select cnt0 from rollup_1m where bucket = ${minute}::timestamptz`;
  expect(rows).toEqual([{ cnt0: 6 }]);
});

describe('minutes that were rolled up too early:', () => {
  const MINUTE_START = NOW - 30_000 - MINUTE_MS;
  const counts = async () => {
    const rows = await harness.store.sql<{ bucket: number; cnt0: number }[]>`
      select bucket, cnt0 from rollup_1m order by bucket`;
    return rows.map(({ bucket, cnt0 }) => [(bucket - MINUTE_START) / MINUTE_MS, cnt0]);
  };

  /** The first writer had six rows in memory, four of which were rolled up, when it died. */
  beforeEach(async () => {
    for (const second of [-20, -10, 0, 10, 20, 30]) await harness.send([at(MINUTE_START + second * 1_000)]);
    await maintenance.recover();
    await harness.writer.settle();
    expect(await counts()).toEqual([
      [-1, 2],
      [0, 4],
    ]);
    for (const second of [40, 50]) await harness.send([at(MINUTE_START + second * 1_000)]);
    expect((await counts()).at(-1)).toEqual([0, 4]);
    harness.restart();
  });

  it('a minute that was rolled up too early is recomputed when its host reports to the next writer', async () => {
    await harness.send([at(NOW)]);
    await harness.writer.settle();
    expect(await counts()).toEqual([
      [-1, 2],
      [0, 6],
    ]);
  });

  it('a minute that was rolled up too early is recomputed by recoverShort if its host stays silent', async () => {
    await maintenance.recoverShort();
    await harness.writer.settle();
    expect(await counts()).toEqual([
      [-1, 2],
      [0, 6],
    ]);
  });

  it('minutes that were rolled up too early are checked after an assignment of partitions, with a retry after a failure', async () => {
    let failures = 1;
    const jobs = createJobs({
      ...options,
      clock() {
        if (failures-- > 0) throw new Error('the store is away');
        return harness.now;
      },
      latest: new LatestFlush(harness.store.sql),
      holder: 'next',
      recoveryDelayMs: 50,
    });
    jobs.assigned();
    jobs.assigned();
    const marked = () => harness.store.sql`select 1 from dirty_buckets where tier = '1m'`;
    await expect.poll(marked).toHaveLength(1);
    await jobs.settle();
    expect((await counts()).at(-1)).toEqual([0, 6]);
    await jobs.stop();
    jobs.assigned();
  });

  it('a minute is not recomputed if only the metrics of a block alternate', async () => {
    for (const second of [0, 10, 20, 30])
      await harness.send([
        at(MINUTE_START + second * 1_000, {
          host: 'web-02',
          ...metricsOf(second % 20 === 0 ? { even: 1 } : { odd: 1 }),
        }),
      ]);
    await maintenance.recoverShort();
    await harness.writer.settle();
    await maintenance.recoverShort();
    expect(await harness.store.sql`select 1 from dirty_buckets where tier = '1m'`).toEqual([]);
  });

  it('a minute that was rolled up too early is recomputed when another writer starts', async () => {
    await maintenance.recover();
    await harness.writer.settle();
    expect((await counts()).at(-1)).toEqual([0, 6]);
  });
});

describe('retention', () => {
  it('retention rolls up the open minute of a dead writer before it drops the samples', async () => {
    await maintenance.recover();
    await harness.send([at(NOW)]);
    harness.restart();
    await age(NOW + 9 * DAY_MS);
    expect(await harness.store.sql`select 1 from samples`).toHaveLength(0);
    const rows = await harness.store.sql`select sum0, cnt0 from rollup_1m`;
    expect(rows).toEqual([{ sum0: 1, cnt0: 1 }]);
  });

  it('retention drops from the outbox all events published long ago and no others', async () => {
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    const old = NOW - 401 * DAY_MS;
    await admin.sql`insert into outbox (organization_id, event, sequence, published_at)
      select 'org_test', '{}', n, ${old}::timestamptz from generate_series(1, 11000) n`;
    await admin.sql`insert into outbox (organization_id, event, sequence, published_at)
      values ('org_test', '{}', 11001, ${NOW}::timestamptz), ('org_test', '{}', null, null)`;
    await maintenance.retain(unfenced);
    const rows = await admin.sql`select sequence from outbox order by id`;
    expect(rows).toEqual([{ sequence: 11_001 }, { sequence: null }]);
  });

  it('retention drops receipts with the outcomes of their payloads after two days', async () => {
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    for (const days of [1, 3]) {
      const at = NOW - days * DAY_MS;
      await admin.sql`insert into ingest_receipts (organization_id, id, key_id, accepted_at, records)
        values ('org_test', ${`rcp_${days}`}, 'key', ${at}, '[]')`;
      await admin.sql`insert into ingest_receipt_marks (organization_id, receipt_id, consumer, partition, "offset", at)
        values ('org_test', ${`rcp_${days}`}, 'writer', 0, 0, ${at})`;
      await admin.sql`insert into unreadable_records (topic, partition, "offset", at, reason)
        values ('t', 0, ${days}, ${at}, 'unreadable')`;
    }
    await maintenance.retain(unfenced);
    const left = await admin.sql`
      select id from ingest_receipts union all select receipt_id from ingest_receipt_marks
      union all select "offset"::text from unreadable_records`;
    expect(left.map(({ id }) => id)).toEqual(['rcp_1', 'rcp_1', '1']);
  });

  it('retention drops silences that ended long ago', async () => {
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    await admin.sql`
      insert into silences (organization_id, id, matchers, from_at, until_at, timezone, comment, ends_at, created_at, created_by,
        ended_at)
      select 'org_test', 'sil_' || days, '{}', at, at, 'UTC', '', at, at, '{}', case when days > 0 then at end
      from (select days, ${NOW}::timestamptz - days * interval '1 day' as at from unnest(array[401, 399, 0]) days) s`;
    await maintenance.retain(unfenced);
    expect(await admin.sql`select id from silences order by id`).toEqual([
      { id: 'sil_0' },
      { id: 'sil_399' },
    ]);
  });
});

describe('investigations', () => {
  it('retention drops old ended investigations with their evidence, and old markers', async () => {
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    await admin.sql`insert into organizations (id, name) values ('org_test', 'test') on conflict do nothing`;
    for (const [days, status] of [
      ...([
        [401, 'completed'],
        [401, 'cancelled'],
        [401, 'running'],
        [399, 'failed'],
      ] as const),
    ]) {
      const id = `inv_${days}_${status}`;
      const at = NOW - days * DAY_MS;
      await admin.sql`
        insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to, status,
          updated_at)
        values ('org_test', ${id}, ${at}, 'alert', 'svc', 'a', 'a', ${at}, ${at}, ${status}, ${at})`;
      await admin.sql`
        insert into investigation_evidence (organization_id, investigation_id, id, ref, query, window_from, window_to, stats, points)
        values ('org_test', ${id}, ${`evd_${id}`}, 'r', 'q', ${at}, ${at}, '{}', '[]')`;
      await admin.sql`insert into investigation_alerts values ('org_test', ${id}, 'alr')`;
      await admin.sql`
        insert into markers (organization_id, id, title, at, selector, tags, created_at, created_by)
        values ('org_test', ${`mrk_${days}_${status}`}, 'a', ${at}, '{}', '{}', ${at}, '{}')`;
    }
    await maintenance.retain(unfenced);
    const left = await admin.sql<{ id: string }[]>`
      select id from investigations union all select investigation_id from investigation_evidence
      union all select investigation_id from investigation_alerts order by 1`;
    expect(left.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 3 }, () => 'inv_399_failed'),
      ...Array.from({ length: 3 }, () => 'inv_401_running'),
    ]);
    expect(await admin.sql`select id from markers`).toEqual([{ id: 'mrk_399_failed' }]);
  });
});

describe('tag changes', () => {
  const tagged = (minutes: number, version: string) => at(NOW + minutes * MINUTE_MS, { tags: { version } });
  const changes = () => harness.store.sql`
    select at, before ->> 'version' as before, after ->> 'version' as after from tag_changes order by at`;

  it('tag changes are kept for a month, without first and repeated tags, and merged within a minute', async () => {
    await harness.send([tagged(-20, '1')]);
    await harness.send([tagged(-19, '1')]);
    await harness.send([tagged(-15, '2')]);
    await harness.send([tagged(-14.5, '3')]);
    await harness.send([tagged(-11, '4')]);
    const known = [
      { at: NOW - 15 * MINUTE_MS, before: '1', after: '3' },
      { at: NOW - 11 * MINUTE_MS, before: '3', after: '4' },
    ];
    expect(await changes()).toEqual(known);
    await age(NOW + 29 * DAY_MS);
    expect(await changes()).toEqual(known);
    await age(NOW + 31 * DAY_MS);
    expect(await changes()).toEqual([]);
  });
});

describe('blocks', () => {
  it('blocks of a deleted service are removed once they have no rows, and their ids are not reused', async () => {
    await harness.send([at(NOW, withContainer), at(NOW - 30 * DAY_MS)]);
    await harness.writer.settle();
    await harness.store.sql`update services set deleted_at = ${NOW + MINUTE_MS}`;
    await harness.store.sql`update revisions set revision = revision + 1 where name = 'services'`;
    await harness.send();
    await ageAndCollect(NOW + 3 * DAY_MS);
    const before = await blocks();
    expect(before).toHaveLength(2);
    await ageAndCollect(NOW + 500 * DAY_MS);
    expect(await blocks()).toHaveLength(2);
    await ageAndCollect(NOW + 7 * YEAR);
    expect(await blocks()).toEqual([]);
    for (const table of ['block_latest'])
      expect(await harness.store.sql`select 1 from ${harness.store.sql(table)}`).toHaveLength(0);
    await harness.send([at(harness.now, withContainer)]);
    const [first] = await blocks();
    expect(first?.id).toBeGreaterThan(before.at(-1)?.id as number);
  });

  it('blocks of a container are removed after the longest retention without samples, and created again with it', async () => {
    await harness.send([at(NOW, withContainer)]);
    for (let time = NOW + YEAR; time <= NOW + 7 * YEAR; time += YEAR) {
      await harness.writer.settle();
      harness.now = time;
      await harness.send([at(time)]);
    }
    await ageAndCollect(harness.now + MINUTE_MS);
    expect((await blocks()).map((block) => block.subject_name)).toEqual(['web-01']);

    const again = at(harness.now, { ...withContainer, tags: { region: 'eu' } });
    await expect(harness.send([again])).rejects.toBeInstanceOf(BlockRemovedError);
    await harness.send([again]);
    const samples = await readSamples(harness.store.sql);
    expect(samples.filter((row) => row.subject === 'api')).toMatchObject([
      { metric: 'cpu_percent', value: 5 },
    ]);
    expect(await harness.store.sql`select tags from services`).toEqual([{ tags: { region: 'eu' } }]);
  });

  it('blocks are not removed while a transaction that uses them is open', async () => {
    await harness.send([at(NOW, withContainer)]);
    await harness.writer.settle();
    harness.restart();
    await age(NOW + 8 * YEAR);
    const { store } = harness;
    await store.transact(async (tx) => {
      const record = {
        kind: 'samples' as const,
        organizationId: 'org_test',
        receivedAt: harness.now,
        stalledMs: 0,
        payloads: [at(harness.now, withContainer)],
      };
      const delivery = {
        topic: '',
        partition: 0,
        offset: 0n,
        key: '',
        publishedAt: harness.now,
        value: record,
      };
      await harness.writer.consumer.handle([delivery], tx);
      await expect(maintenance.collectBlocks(unfenced)).rejects.toThrow('lock timeout');
    });
    harness.writer.consumer.committed?.();
    await maintenance.collectBlocks(unfenced);
    expect(await blocks()).toHaveLength(2);
  });
});
