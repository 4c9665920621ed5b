import { openStore } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, expect, test } from 'vitest';
import { ACTIVE_MS, countActiveSeries, findKnownSeries } from './active-series.ts';

const NOW = Date.UTC(2026, 10, 21);

const admin = await storeForFile({ organizations: ['org_1', 'org_2'] });
const api = await openForFile(openStore({ url: admin.database.apiUrl, bindsOrganization: true }));
beforeAll(async () => {
  const { sql } = admin;
  const hosts: [string, string, string, number | null][] = [
    ['org_1', 'svc_1', 'web', null],
    ['org_1', 'svc_2', 'resting', null],
    ['org_1', 'svc_3', 'deleted', NOW],
    ['org_2', 'svc_4', 'web', null],
  ];
  for (const [org, id, host, deleted] of hosts)
    await sql`
      insert into services (organization_id, id, host, first_seen, status_since, deleted_at)
      values (${org}, ${id}, ${host}, ${NOW}, ${NOW}, ${deleted})`;
  const blocks: [string, string, string, string, string[], number][] = [
    ['org_1', 'svc_1', 'host', '', ['cpu', 'memory'], NOW],
    ['org_1', 'svc_1', 'container', 'db', ['cpu'], NOW - ACTIVE_MS],
    ['org_1', 'svc_1', 'container', 'gone', ['cpu'], NOW - ACTIVE_MS - 1],
    ['org_1', 'svc_2', 'host', '', ['cpu'], NOW - ACTIVE_MS - 1],
    ['org_1', 'svc_3', 'host', '', ['cpu'], NOW],
    ['org_2', 'svc_4', 'host', '', ['cpu', 'disk', 'load'], NOW],
  ];
  for (const [org, service, kind, name, metrics, at] of blocks)
    await sql`
      with made as (
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${org}, ${service}, ${kind}, ${name}, 0, ${metrics}::text[]) returning id)
      insert into block_latest (block_id, applied_at, times, vals) select id, ${at}, '{}', '{}' from made`;
});

test('series are active while their block has rows and their service exists', async () => {
  expect(await countActiveSeries(api.sql, 'org_1', NOW)).toBe(3);
  expect(await countActiveSeries(api.sql, 'org_2', NOW)).toBe(3);
  expect(await countActiveSeries(api.sql, 'org_3', NOW)).toBe(0);
});

test('the active series of hosts are counted by subject, for one organization alone', async () => {
  const known = await findKnownSeries(api.sql, 'org_1', ['web', 'resting', 'deleted', 'nobody'], NOW);
  expect(known.toSorted((a, b) => a.metrics.length - b.metrics.length)).toEqual([
    { host: 'web', container: 'db', metrics: ['cpu'] },
    { host: 'web', container: null, metrics: ['cpu', 'memory'] },
  ]);
});
