import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql } from '@tidewatch/database/connection';
import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import { closeBatch } from '@tidewatch/store/sample-days/close-day';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { describe, expect, inject, it } from 'vitest';
import { openHarness } from './testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
const TIMES = [NOW - 2 * DAY_MS, NOW - 2 * DAY_MS + MINUTE_MS, NOW - 6 * MINUTE_MS, NOW];

const timescale = inject('timescale');
const isServed = timescale.state !== 'lacked' && timescale.address.backends.includes('apache');
const hasClients = ['psql', 'pg_dump'].every((name) => spawnSync(name, ['--version']).status === 0);

/** The commands of the section "From plain to TimescaleDB", which copy the database `$OLD` into `$NEW`. */
function documentedCopy(): string {
  const text = readFileSync(new URL('../../../../docs/storage-backends.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## From plain to TimescaleDB');
  return /```sh\n(.*?)```/s.exec(section)?.[1] as string;
}

async function readSamples(sql: Sql) {
  const [block] = await sql<{ id: number }[]>`select id from blocks where subject_name = 'web-01'`;
  const span = { blockId: block?.id ?? 0, slot: 0, from: 0, to: NOW + DAY_MS };
  const [samples] = await storedSeries.samples(sql, [span]);
  return Array.from(samples?.times ?? [], (time, index) => [time, samples?.values[index]]);
}

describe.skipIf(!isServed)('[needs Timescale] a plain database', () => {
  it.skipIf(!hasClients).each(['rows', 'log'] as const)(
    'is copied into one of TimescaleDB by the documented commands [needs psql and pg_dump], with samples as %s',
    async (layout) => {
      const old = await openForTest(startBackendDatabase('plain', layout));
      const moved = await openForTest(startBackendDatabase('apache'));
      const harness = await openForTest(openHarness(old.url, NOW));
      for (const [index, time] of TIMES.entries())
        await harness.send([{ host: 'web-01', time, ...metricsOf({ cpu: index + 0.5 }) }]);
      await harness.writer.settle();
      if (layout === 'log')
        await closeBatch(harness.store.sql, Math.floor((NOW - 2 * DAY_MS) / DAY_MS) * DAY_MS, { now: NOW });
      await harness.send([{ host: 'web-01', time: NOW + MINUTE_MS, ...metricsOf({ cpu: 9 }) }]);
      const copied = spawnSync('sh', ['-ec', documentedCopy()], {
        env: { ...process.env, OLD: old.adminUrl, NEW: moved.adminUrl },
        encoding: 'utf8',
      });
      expect({ status: copied.status, errors: copied.stderr }).toEqual({ status: 0, errors: '' });
      const { sql } = await openForTest(openStore({ url: moved.url }));
      expect(await readSampleLayout(sql)).toBe(layout);
      expect(await readSamples(sql)).toEqual([
        ...TIMES.map((time, index) => [time, index + 0.5]),
        [NOW + MINUTE_MS, 9],
      ]);
      const continued = await openForTest(
        openHarness(moved.url, NOW + DAY_MS, { retention: DEFAULT_RETENTION_DAYS }),
      );
      await continued.send([{ host: 'web-01', time: NOW + 2 * MINUTE_MS, ...metricsOf({ cpu: 10 }) }]);
      await continued.writer.settle();
      expect((await readSamples(sql)).at(-1)).toEqual([NOW + 2 * MINUTE_MS, 10]);
    },
  );
});
