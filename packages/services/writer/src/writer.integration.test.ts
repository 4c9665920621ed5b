import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { readService } from '@tidewatch/store/services/detail';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { disagreeing, readSamples } from './testing/recount.ts';
import { type Harness, ORGANIZATION, openHarness } from './testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);

let database: TestDatabase;
let harness: Harness;

beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
  harness = await openForTest(openHarness(database.url, NOW));
});

const at = (time: number, fields: Record<string, number>, more: Partial<Payload> = {}): Payload => ({
  host: 'web-01',
  time,
  ...metricsOf(fields),
  ...more,
});

async function values() {
  return (await readSamples(harness.store.sql)).map((row) => [row.metric, row.time - NOW, row.value]);
}

async function expectRightRollups(of: Harness = harness) {
  for (const tier of ROLLUP_TIERS) {
    expect(await disagreeing(of.store.sql, tier), tier).toHaveLength(0);
  }
}

describe('rows', () => {
  it('the writer stores a payload that is sent twice once', async () => {
    await harness.send([at(NOW, { cpu: 1 })]);
    await harness.send([at(NOW, { cpu: 1 })]);
    await harness.send([at(NOW, { cpu: 1 })], [at(NOW, { cpu: 1 })]);
    expect(await values()).toEqual([['cpu', 0, 1]]);
  });

  it('the writer merges metrics of one time, within a transaction and across', async () => {
    await harness.send([at(NOW, { cpu: 1 }), at(NOW, { memory: 2 })]);
    await harness.send([at(NOW, { disk: 3 })]);
    expect(await values()).toEqual([
      ['cpu', 0, 1],
      ['disk', 0, 3],
      ['memory', 0, 2],
    ]);
  });

  it.each([true, false])(
    'the writer stores a new host with repeated times in one request, in a transaction that begins by reading: %s',
    async (inOneProcess) => {
      const own = await openForTest(openHarness(database.url, NOW, { inOneProcess }));
      await own.send([at(NOW, { cpu: 1 }), at(NOW + SECOND_MS, { cpu: 2 }), at(NOW, { memory: 3 })]);
      expect(await values()).toEqual([
        ['cpu', 0, 1],
        ['cpu', SECOND_MS, 2],
        ['memory', 0, 3],
      ]);
      expect(own.counts.get('tidewatch_writer_copy_fallbacks_total')).toBeUndefined();
    },
  );

  it('the writer keeps the newest arrival of one metric and time, within a transaction and across', async () => {
    await harness.send([at(NOW, { cpu: 1 })], [at(NOW, { cpu: 2 })]);
    expect(await values()).toEqual([['cpu', 0, 2]]);
    await harness.send([at(NOW + SECOND_MS, { cpu: 9 }), at(NOW, { cpu: 3 })]);
    expect(await values()).toEqual([
      ['cpu', 0, 3],
      ['cpu', SECOND_MS, 9],
    ]);
  });

  it('the writer stores rows out of order and more metrics than a block has slots', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`metric_${index}`, index]));
    await harness.send([at(NOW, many), at(NOW - 10 * SECOND_MS, many)]);
    await harness.send([at(NOW - 20 * SECOND_MS, many)]);
    expect(await values()).toHaveLength(120);
  });

  it('the writer stores 1,000 payloads of 1,000 days in one transaction and few partitions', async () => {
    await harness.send(Array.from({ length: 1000 }, (_, day) => at(NOW - day * DAY_MS, { cpu: day })));
    const stored = await values();
    expect(stored).toHaveLength(1000);
    expect(new Set(stored.map((row) => row[1])).size).toBe(1000);
    const [row] = await harness.store.sql`select count(*)::integer as count from pg_inherits i
      join pg_class p on p.oid = i.inhparent where p.relname in ('samples', 'samples_backfill')`;
    expect(row?.count).toBeLessThan(20);
    const [backfilled] = await harness.store.sql`select count(*)::integer as count from samples_backfill`;
    expect(backfilled?.count).toBe(992);
  });

  it('a payload older than every tier is counted as expired and registers its service', async () => {
    await harness.send([at(Date.UTC(2001, 0), { cpu: 1 })]);
    expect(await values()).toEqual([]);
    expect(harness.counts.get('tidewatch_writer_payloads_total expired')).toBe(1);
    const [row] = await harness.store.sql`select host from services`;
    expect(row?.host).toBe('web-01');
  });

  it('the writer stores series of containers and snapshots', async () => {
    const containers = [{ name: 'api', image: 'x', cpu_percent: 5 }];
    await harness.send([at(NOW, { cpu: 1 }, { containers, processes: [{ name: 'node', pid: 1 }] })]);
    await harness.send([at(NOW, { cpu: 1 }, { containers })]);
    expect((await readSamples(harness.store.sql)).map((row) => [row.subject, row.metric, row.value])).toEqual(
      [
        ['api', 'cpu_percent', 5],
        ['web-01', 'cpu', 1],
      ],
    );
    const [row] = await harness.store.sql`select containers, processes from snapshots`;
    expect(row).toEqual({ containers, processes: [{ name: 'node', pid: 1 }] });
  });

  it('payloads received before the deletion of their service are dropped, and later ones get a new service id', async () => {
    await harness.send([at(NOW, { cpu: 1 })]);
    await harness.store.sql`update services set deleted_at = ${NOW + SECOND_MS}`;
    await harness.store.sql`update revisions set revision = revision + 1 where name = 'services'`;
    await harness.send([at(NOW + SECOND_MS, { cpu: 2 })]);
    expect(harness.counts.get('tidewatch_writer_payloads_total deleted')).toBe(1);
    harness.now = NOW + 2 * SECOND_MS;
    await harness.send([at(NOW + 2 * SECOND_MS, { cpu: 3 })]);
    const rows = await harness.store.sql`select id from services`;
    expect(rows).toHaveLength(2);
  });
});

describe('refused and lost transactions', () => {
  it.each([
    ['begins by reading', true],
    ['does not begin by reading', false],
  ])(
    'a transaction that %s repeats a refused COPY by upsert and leaks no connection',
    async (_how, inOneProcess) => {
      harness = await openForTest(openHarness(database.url, NOW, { inOneProcess }));
      await harness.send([at(NOW, { cpu: 1 })]);
      const second = await openForTest(openHarness(database.url, NOW, { inOneProcess }));
      await second.send([at(NOW - SECOND_MS, { cpu: 1 })]);
      for (let round = 1; round <= 6; round++) {
        await second.send([at(NOW + round * MINUTE_MS, { cpu: round })]);
        await harness.send([at(NOW + round * MINUTE_MS, { memory: round })]);
      }
      expect(harness.counts.get('tidewatch_writer_copy_fallbacks_total')).toBeGreaterThan(0);
      expect(await values()).toHaveLength(14);
      const rows = await Promise.all(
        Array.from({ length: 4 }, () => harness.store.sql`select pg_sleep(0.05)`),
      );
      expect(rows).toHaveLength(4);
      harness.now = NOW + HOUR_MS;
      await harness.writer.settle();
      await expectRightRollups();
    },
  );

  it('the tags of a payload are stored when its transaction is retried after a failure of any statement', async () => {
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    const tagged = at(NOW + SECOND_MS, { cpu: 2 }, { tags: { region: 'eu' } });
    await harness.send([at(NOW, { cpu: 1 }, { tags: { region: 'us' } })]);
    await admin.sql`revoke insert on samples from tidewatch_writer`;
    await expect(harness.send([tagged])).rejects.toThrow('permission denied');
    await admin.sql`grant insert on samples to tidewatch_writer`;
    await harness.send([tagged]);
    const [row] = await harness.store.sql`select tags from services`;
    expect(row?.tags).toEqual({ region: 'eu' });
  });

  it('the writer drops cached state of a transaction that was rolled back', async () => {
    await harness.sendAndLose([at(NOW, { cpu: 1 }, { tags: { region: 'eu' } })]);
    expect(await values()).toEqual([]);
    await harness.send([at(NOW, { cpu: 2 }, { tags: { region: 'us' } })]);
    await harness.sendAndLose([at(NOW + SECOND_MS, { memory: 1 }, { tags: { region: 'eu' } })]);
    await harness.send([at(NOW + SECOND_MS, { memory: 3 })]);
    expect(await values()).toEqual([
      ['cpu', 0, 2],
      ['memory', SECOND_MS, 3],
    ]);
    const [row] = await harness.store.sql`select tags from services`;
    expect(row?.tags).toEqual({ region: 'us' });
  });
});

describe('rollups', () => {
  it('rollups agree with a recount for rows in order, late, repeated, ahead and after restarts', async () => {
    const step = fc.record({
      host: fc.constantFrom('a', 'b'),
      // Sample times in seconds relative to the current time: mostly in order, sometimes late, sometimes far ahead.
      offset: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: -5, max: 0 }) },
        { weight: 3, arbitrary: fc.integer({ min: -7200, max: 0 }) },
        { weight: 1, arbitrary: fc.integer({ min: -400_000, max: 0 }) },
        { weight: 1, arbitrary: fc.integer({ min: 301, max: 1200 }) },
      ),
      metric: fc.constantFrom('cpu', 'memory'),
      value: fc.integer({ min: 0, max: 100 }),
      advance: fc.constantFrom(0, 5, 20, 55, 600),
      action: fc.constantFrom('send', 'send', 'send', 'send', 'batch', 'restart', 'lose', 'drain'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        async (inOneProcess, steps) => {
          const own = await startDatabaseOf('rows');
          const harness = await openHarness(own.url, NOW, { inOneProcess });
          try {
            const expected = new Map<string, number>();
            let pending: Payload[] = [];
            for (const { host, offset, metric, value, advance, action } of steps) {
              harness.now += advance * SECOND_MS;
              const payload = at(
                Math.floor(harness.now / 1000 + offset) * 1000,
                { [metric]: value },
                { host },
              );
              if (action === 'restart') harness.restart();
              if (action === 'drain') await harness.writer.settle();
              if (action === 'lose') {
                await harness.sendAndLose([payload]);
                continue;
              }
              expected.set(`${host} ${metric} ${payload.time}`, value);
              pending.push(payload);
              if (action === 'batch') continue;
              await harness.send(pending);
              pending = [];
              await expectRightRollups(harness);
            }
            await harness.send(pending);
            const stored = await readSamples(harness.store.sql);
            expect(
              new Map(stored.map((row) => [`${row.host} ${row.metric} ${row.time}`, row.value])),
            ).toEqual(expected);
            harness.restart();
            harness.now += 3 * HOUR_MS;
            await harness.writer.start();
            await harness.writer.stop();
            await harness.writer.settle();
            await expectRightRollups(harness);
            const [open] = await harness.store.sql`select count(*)::integer as count from (
            select distinct s.block_id, date_trunc('minute', s.time, 'UTC') as bucket from samples s) x
            where not exists (select from rollup_1m r where r.block_id = x.block_id and r.bucket = x.bucket)`;
            expect(open?.count).toBe(0);
          } finally {
            await harness.store.close();
            await own.close();
          }
        },
      ),
      { numRuns: 8, seed: 7, endOnFailure: true },
    );
  });

  it('rollups of the hour and the day are computed once they are over', async () => {
    for (let minute = 0; minute < 150; minute++) {
      harness.now = NOW - 3 * DAY_MS + minute * MINUTE_MS;
      await harness.send([at(harness.now, { cpu: minute })]);
    }
    harness.now = NOW;
    await harness.writer.settle();
    await expectRightRollups();
    const [hours] = await harness.store.sql`select count(*)::integer as count from rollup_1h`;
    expect(hours?.count).toBeGreaterThanOrEqual(2);
    const [days] = await harness.store.sql`select sum(cnt0)::integer as samples from rollup_1d`;
    expect(days?.samples).toBeGreaterThan(100);
  });

  it('the rollup of a minute is written although no later rows arrive', async () => {
    await harness.send([at(NOW, { cpu: 4 })]);
    harness.now = NOW + 2 * MINUTE_MS;
    await harness.send();
    await harness.writer.settle();
    const [row] = await harness.store.sql`select sum0, cnt0 from rollup_1m`;
    expect(row).toEqual({ sum0: 4, cnt0: 1 });
  });

  it('rollups are kept and not recomputed after retention dropped their samples', async () => {
    await harness.send([at(NOW, { cpu: 4 }), at(NOW + MINUTE_MS, { cpu: 6 })]);
    await harness.writer.settle();
    harness.now = NOW + 9 * DAY_MS;
    await harness.writer.start();
    await harness.writer.stop();
    await harness.writer.settle();
    await (await openStorageBackend(harness.store.sql, DEFAULT_RETENTION_DAYS)).enforceRetention(harness.now);
    expect(await harness.store.sql`select 1 from samples`).toHaveLength(0);
    await harness.send([at(NOW + SECOND_MS, { cpu: 100 })]);
    await harness.writer.settle();
    const rows = await harness.store.sql`select sum0 from rollup_1m order by bucket`;
    expect(rows[0]).toEqual({ sum0: 4 });
    expect((await harness.store.sql`select 1 from samples_backfill`).length).toBe(1);
  });
});

describe('latest values', () => {
  it('latest values of each metric survive a rollback between commit and flush', async () => {
    await harness.send([at(NOW, { cpu_percent: 1, memory_percent: 5, disk_percent: 7 })]);
    await harness.send([at(NOW + SECOND_MS, { cpu_percent: 2 })]);
    await harness.sendAndLose([at(NOW + 2 * SECOND_MS, { cpu_percent: 3 })]);
    await harness.send([at(NOW + 3 * SECOND_MS, { memory_percent: 6 })]);
    await harness.writer.settle();
    const [row] = await harness.store.sql`select vals[1:3] as vals from block_latest`;
    expect(row?.vals).toEqual([2, 6, 7]);
    const [live] = await harness.store
      .sql`select cpu_percent, memory_percent, disk_percent from service_live`;
    expect(live).toEqual({ cpu_percent: 2, memory_percent: 6, disk_percent: 7 });
  });

  it('latest values follow sample time, survive a restart and leave out samples that are far ahead', async () => {
    await harness.send([at(NOW, { cpu_percent: 1, memory_percent: 5 })]);
    await harness.send([
      at(NOW - MINUTE_MS, { cpu_percent: 2 }),
      at(NOW + 10 * MINUTE_MS, { cpu_percent: 3 }),
    ]);
    await harness.writer.settle();
    const live = async () =>
      (
        await harness.store
          .sql`select l.cpu_percent, l.memory_percent, l.clock_skew_seconds from service_live l
        join services s on s.id = l.service_id and s.organization_id = ${ORGANIZATION}`
      )[0];
    expect(await live()).toEqual({ cpu_percent: 1, memory_percent: 5, clock_skew_seconds: 600 });
    harness.restart();
    harness.now = NOW + SECOND_MS;
    await harness.send([at(NOW + SECOND_MS, { memory_percent: 6 })]);
    await harness.writer.settle();
    expect(await live()).toEqual({ cpu_percent: 1, memory_percent: 6, clock_skew_seconds: null });
    const [row] = await harness.store.sql`select times[1] as time, vals[1] as value from block_latest`;
    expect(row).toEqual({ time: NOW, value: 1 });
  });

  it('latest values follow the clock of a host that is set back', async () => {
    const report = async (time: number, value: number) => {
      harness.now += 10 * SECOND_MS;
      await harness.send([at(time, { cpu_percent: value })]);
      await harness.writer.settle();
    };
    for (let i = 0; i < 3; i += 1) await report(harness.now, 10);
    for (let i = 0; i < 4; i += 1) await report(harness.now - 60 * MINUTE_MS, 99);
    const [live] = await harness.store.sql`select cpu_percent, clock_skew_seconds from service_live`;
    expect(live).toEqual({ cpu_percent: 99, clock_skew_seconds: expect.closeTo(-3600, -2) });
    const [row] = await harness.store.sql`select vals[1] as value from block_latest`;
    expect(row).toEqual({ value: 99 });
  });

  it('latest values follow the clock of a host that is set back while the writer restarts', async () => {
    const report = async (time: number, value: number) => {
      harness.now += 10 * SECOND_MS;
      await harness.send([at(time, { cpu_percent: value })]);
      await harness.writer.settle();
    };
    for (let i = 0; i < 3; i += 1) await report(harness.now, 10);
    harness.restart();
    for (let i = 0; i < 4; i += 1) await report(harness.now - 60 * MINUTE_MS, 99);
    const [live] = await harness.store.sql`select cpu_percent from service_live`;
    expect(live).toEqual({ cpu_percent: 99 });
  });

  it('tags, processes and containers follow the clock of a host that is set back, also after a restart', async () => {
    const report = async (time: number, version: string) => {
      harness.now += 10 * SECOND_MS;
      const processes = [{ name: `api-${version}`, pid: 1, cpu_percent: 1, memory_rss: 1 }] as never;
      await harness.send([at(time, { cpu_percent: 1 }, { tags: { version }, processes })]);
      await harness.writer.settle();
    };
    const shown = async () => {
      const [service] = await harness.store.sql<
        { id: string; tags: object }[]
      >`select id, tags from services`;
      const detail = await harness.store.sql.begin(async (tx) => {
        await tx`select set_config('tidewatch.organization', ${ORGANIZATION}, true)`;
        return readService(tx as never, ORGANIZATION, service?.id ?? '', harness.now);
      });
      return [service?.tags, detail?.processes.list.map(({ name }) => name)];
    };
    for (let i = 0; i < 3; i += 1) await report(harness.now, '1');
    for (let i = 0; i < 3; i += 1) await report(harness.now - 60 * MINUTE_MS, '1');
    await report(harness.now - 60 * MINUTE_MS, '2');
    expect(await shown()).toEqual([{ version: '2' }, ['api-2']]);
    harness.restart();
    await report(harness.now - 60 * MINUTE_MS, '3');
    expect(await shown()).toEqual([{ version: '3' }, ['api-3']]);
  });

  it('tags of a host whose clock was set back before a restart are stored after it', async () => {
    const report = async (time: number, version: string) => {
      harness.now += 10 * SECOND_MS;
      await harness.send([at(time, { cpu_percent: 1 }, { tags: { version } })]);
      await harness.writer.settle();
    };
    for (let i = 0; i < 3; i += 1) await report(harness.now, '1');
    for (let i = 0; i < 4; i += 1) await report(harness.now - 60 * MINUTE_MS, '1');
    harness.restart();
    await report(harness.now - 60 * MINUTE_MS, '2');
    expect((await harness.store.sql`select tags from services`)[0]).toEqual({ tags: { version: '2' } });
  });
});
