import { storeForTest } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';

const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);

it('a change of a service’s tags is recorded with both values; its first tags and its health are not recorded', async () => {
  const { sql } = await storeForTest({ organizations: ['org_1'], searchPath: 'tidewatch, public' });
  await sql`
    insert into services (organization_id, id, host, tags, tags_at, first_seen, status_since)
    values ('org_1', 'tagged', 'a', '{"version": "1"}', ${NOW}, now(), now()),
      ('org_1', 'bare', 'b', '{}', null, now(), now())`;
  const tag = (id: string, version: string, at: number) => sql`
    update services set tags = ${sql.json({ version })}, tags_at = ${at} where id = ${id}`;
  await tag('tagged', '1', NOW + 60_000);
  await tag('tagged', '2', NOW + 120_000);
  await tag('bare', '1', NOW);
  await tag('bare', '2', NOW + 30_000);
  await sql`update services set status = 'offline'`;
  expect(await sql`select service_id, at, before, after from tag_changes order by at`).toEqual([
    { service_id: 'bare', at: NOW + 30_000, before: { version: '1' }, after: { version: '2' } },
    { service_id: 'tagged', at: NOW + 120_000, before: { version: '1' }, after: { version: '2' } },
  ]);
});
