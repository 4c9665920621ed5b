import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../database/connection.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const SEEN = Date.UTC(2026, 10, 21, 14, 36, 28);

it('slots of before move into their blocks, and every service gets a live row', async () => {
  const database = await startEmptyDatabase();
  const store = openStore({ url: database.adminUrl });
  const before = await mkdtemp(`${tmpdir()}/tidewatch-migrations-`);
  try {
    const files = (await readdir(MIGRATIONS)).sort();
    const here = files.findIndex((name) => name.endsWith('_metrics_in_blocks.sql'));
    for (const name of files.slice(0, here)) await cp(`${MIGRATIONS}/${name}`, `${before}/${name}`);
    await migrate(store.sql, { directory: before });
    const { sql } = store;
    await sql`insert into organizations (id, name) values ('org_1', 'one'), ('org_2', 'two')`;
    await sql`insert into services (organization_id, id, host, first_seen, status_since, deleted_at) values
      ('org_1', 'svc_1', 'web', ${SEEN}, ${SEEN}, null), ('org_2', 'svc_2', 'web', ${SEEN}, ${SEEN}, null),
      ('org_2', 'svc_3', 'gone', ${SEEN}, ${SEEN}, ${SEEN})`;
    await sql`insert into service_live (organization_id, service_id, last_seen, cpu_percent)
      values ('org_1', 'svc_1', ${SEEN + 1_000}, 7)`;
    await sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal) values
      ('org_1', 'svc_1', 'host', 'web', 0), ('org_1', 'svc_1', 'host', 'web', 1),
      ('org_2', 'svc_2', 'host', 'web', 0), ('org_2', 'svc_2', 'container', 'api', 0)`;
    await sql`insert into metric_slots (organization_id, block_id, slot, metric)
      select 'org_1', 1, slot, 'metric ' || slot from generate_series(15, 0, -1) slot`;
    await sql`insert into metric_slots (organization_id, block_id, slot, metric) values
      ('org_1', 2, 1, 'Zeit'), ('org_1', 2, 0, 'änderung'), ('org_2', 3, 3, 'wave'), ('org_2', 3, 4, 'NULL'), ('org_2', 3, 1, 'b"{,}\\')`;

    await migrate(store.sql);

    const blocks = await sql<{ id: number; metrics: string[] }[]>`
      select id, metrics from blocks order by id`;
    expect(blocks.map(({ id, metrics }) => [id, metrics])).toEqual([
      [1, Array.from({ length: 16 }, (_, slot) => `metric ${slot}`)],
      [2, ['änderung', 'Zeit']],
      [3, ['', 'b"{,}\\', '', 'wave', 'NULL']],
      [4, []],
    ]);
    const [gone] = await sql`select to_regclass('metric_slots')::text as name`;
    expect(gone?.name).toBeNull();
    await expect(
      sql`update blocks set metrics = metrics || 'seventeenth'::text where id = 1`,
    ).rejects.toThrow('blocks_metrics_check');
    const live = await sql`select service_id, last_seen, cpu_percent from service_live order by 1`;
    expect(live).toEqual([
      { service_id: 'svc_1', last_seen: SEEN + 1_000, cpu_percent: 7 },
      { service_id: 'svc_2', last_seen: SEEN, cpu_percent: null },
    ]);
  } finally {
    await store.close();
    await database.close();
    await rm(before, { recursive: true });
  }
});
