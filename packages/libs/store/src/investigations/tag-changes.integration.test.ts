import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../database/connection.ts';
import { migrate } from '../schema/migrate.ts';

const MIGRATION = 'investigations';
const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);

it('tags of services that were there before are compared from then on, and their alerts are let be', async () => {
  const database = await startEmptyDatabase();
  const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'tidewatch, public' });
  const source = fileURLToPath(new URL('../../migrations', import.meta.url));
  const directory = await mkdtemp(`${tmpdir()}/tidewatch-investigations-`);
  try {
    const files = (await readdir(source)).sort();
    const place = files.findIndex((name) => name.includes(MIGRATION));
    for (const name of files.slice(0, place)) await cp(`${source}/${name}`, `${directory}/${name}`);
    await migrate(sql, { directory });
    await sql`insert into organizations (id, name) values ('org_1', 'one')`;
    await sql`
      insert into services (organization_id, id, host, tags, tags_at, first_seen, status_since)
      values ('org_1', 'tagged', 'a', '{"version": "1"}', ${NOW}, now(), now()),
        ('org_1', 'bare', 'b', '{}', null, now(), now())`;
    await sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
        state, severity, metric, condition, summary, fired_at, context)
      values ('org_1', 'alr', 'rul', 'r', 1, 'tagged', 'a', 'host', 'a', 'active', 'firing', 'critical', 'm', 'equal', 's',
        now(), '{}')`;
    await migrate(sql);
    expect(await sql`select id, investigation_id from alerts`).toEqual([
      { id: 'alr', investigation_id: null },
    ]);
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
  } finally {
    await close();
    await database.close();
    await rm(directory, { recursive: true });
  }
});
