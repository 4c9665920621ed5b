import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../database/connection.ts';
import { migrate } from '../schema/migrate.ts';

const MIGRATION = 'starter_rules_notify_defaults';

it('the migration has starter rules that nobody edited notify the default channels, and leaves all others as they are', async () => {
  const database = await startEmptyDatabase();
  const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'tidewatch, public' });
  const source = fileURLToPath(new URL('../../migrations', import.meta.url));
  const directory = await mkdtemp(`${tmpdir()}/tidewatch-starter-channels-`);
  try {
    const files = (await readdir(source)).sort();
    const place = files.findIndex((name) => name.includes(MIGRATION));
    for (const name of files.slice(0, place)) await cp(`${source}/${name}`, `${directory}/${name}`);
    await migrate(sql, { directory });
    await sql`insert into organizations (id, name) values ('org_1', 'one')`;
    const insert = async (id: string, externalId: string | null, version: number, channels: string[]) => {
      const definition = definitionOf({ external_id: externalId, channels });
      await sql`
        insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, version)
        values ('org_1', ${id}, 'r', true, 'm', 'info', ${sql.json(definition as never)}, ${version})`;
    };
    await insert('edited', 'starter/a', 2, []);
    await insert('named', 'starter/b', 1, ['slack']);
    await insert('others', 'cpu', 1, []);
    await insert('untouched', 'starter/c', 1, []);
    await migrate(sql);
    const rows =
      await sql`select id, definition -> 'channels' as channels, version from alert_rules order by id`;
    expect(rows.map(({ id, channels, version }) => [id, channels, version])).toEqual([
      ['edited', [], 2],
      ['named', ['slack'], 1],
      ['others', [], 1],
      ['untouched', ['default'], 2],
    ]);
  } finally {
    await close();
    await database.close();
    await rm(directory, { recursive: true });
  }
});
