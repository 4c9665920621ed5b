import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../database/connection.ts';
import { migrate } from '../schema/migrate.ts';

const MIGRATION = 'rule_external_ids';

it('rules that shared an external id before it had to be their own: the oldest keeps it', async () => {
  const database = await startEmptyDatabase();
  const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'tidewatch, public' });
  const source = fileURLToPath(new URL('../../migrations', import.meta.url));
  const directory = await mkdtemp(`${tmpdir()}/tidewatch-external-ids-`);
  try {
    const files = (await readdir(source)).sort();
    const place = files.findIndex((name) => name.includes(MIGRATION));
    for (const name of files.slice(0, place)) await cp(`${source}/${name}`, `${directory}/${name}`);
    await migrate(sql, { directory });
    await sql`insert into organizations (id, name) values ('org_1', 'one'), ('org_2', 'two')`;
    const insert = async (organization: string, id: string, externalId: string | null, minute: number) => {
      const definition = definitionOf({ external_id: externalId });
      await sql`
        insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, created_at, deleted_at)
        values (${organization}, ${id}, 'r', true, 'm', 'info', ${sql.json(definition as never)},
          ${minute * 60_000}, ${id === 'gone' ? 1 : null})`;
    };
    await insert('org_1', 'younger', 'a', 2);
    await insert('org_1', 'older', 'a', 1);
    await insert('org_1', 'gone', 'a', 0);
    await insert('org_1', 'none', null, 0);
    await insert('org_1', 'without', null, 1);
    await insert('org_2', 'other', 'a', 3);
    await migrate(sql);
    const rows = await sql`
      select id, external_id, definition ->> 'external_id' as defined, version from alert_rules order by id`;
    expect(rows.map(({ id, external_id, defined, version }) => [id, external_id, defined, version])).toEqual([
      ['gone', 'a', 'a', 1],
      ['none', null, null, 1],
      ['older', 'a', 'a', 1],
      ['other', 'a', 'a', 1],
      ['without', null, null, 1],
      ['younger', null, null, 2],
    ]);
  } finally {
    await close();
    await database.close();
    await rm(directory, { recursive: true });
  }
});
