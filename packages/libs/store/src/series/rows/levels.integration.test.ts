import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { readLevels } from './levels.ts';

const DAY = Date.UTC(2026, 10, 21);
const NOON = DAY + 12 * HOUR_MS;

const store = await storeForFile({ sampleLayout: 'rows' });

test('a minute in which a host sent other metrics does not count for a metric that was missing in it', async () => {
  const { sql } = store;
  const [organizationId, serviceId] = [newId('org'), newId('svc')];
  await sql`insert into organizations (id, name) values (${organizationId}, 'test')`;
  await sql`insert into services (organization_id, id, host, first_seen, status_since)
    values (${organizationId}, ${serviceId}, 'web-01', ${DAY}, ${DAY})`;
  const [block] = await sql<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    values (${organizationId}, ${serviceId}, 'host', 'web-01', 0, array['always', 'at_times']) returning id`;
  const blockId = block?.id as number;
  await sql`select ensure_partition('samples', ${DAY}, ${DAY + DAY_MS})`;
  // The second metric is 10 and 12 in turns in every other minute, and 50 at last.
  await sql`
    insert into samples ("time", block_id, v0, v1)
    select ${NOON - 60 * MINUTE_MS}::timestamptz + n * interval '1 minute', ${blockId}, 1,
      case when n % 2 = 1 then null when n >= 50 then 50 when n % 4 = 0 then 10 else 12 end
    from generate_series(0, 59) n`;
  const asked = {
    tier: '1m' as const,
    from: NOON - HOUR_MS,
    turn: NOON - 12 * MINUTE_MS,
    to: NOON,
    retained: { raw: DAY, '1m': DAY, '1h': DAY, '1d': DAY },
  };
  const levels = (await store.transact((tx) => readLevels(tx, [blockId], asked))).get(blockId);
  const [always, atTimes, never] = [0, 1, 2].map((slot) => [
    levels?.mean[slot],
    levels?.deviation[slot],
    levels?.max[slot],
    levels?.min[slot],
  ]);
  expect(always).toEqual([1, 0, 1, 1]);
  expect(atTimes).toEqual([11, 1, 50, 10]);
  expect(never).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
});
