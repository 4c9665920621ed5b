import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../database/connection.ts';
import { readFlaps } from '../rule-states/flaps.ts';
import { migrate } from '../schema/migrate.ts';
import { findAlertsToRecheck } from './withheld.ts';

const MIGRATION = 'notices_by_present_state';

it('what was active before notices followed the present state is looked at once, and flaps are kept', async () => {
  const database = await startEmptyDatabase();
  const { sql, transact, close } = openStore({ url: database.adminUrl, searchPath: 'tidewatch, public' });
  const source = fileURLToPath(new URL('../../migrations', import.meta.url));
  const directory = await mkdtemp(`${tmpdir()}/tidewatch-notices-`);
  try {
    const files = (await readdir(source)).sort();
    const place = files.findIndex((name) => name.includes(MIGRATION));
    for (const name of files.slice(0, place)) await cp(`${source}/${name}`, `${directory}/${name}`);
    await migrate(sql, { directory });
    await sql`insert into organizations (id, name) values ('org', 'one')`;
    const alert = async (id: string, status: string, shadow = false) =>
      sql`
        insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
          status, state, severity, metric, condition, threshold, summary, fired_at, context, backfilled, shadow)
        values ('org', ${id}, 'rul', 'r', 1, 'svc', 'h', 'host', 'h', ${status}, 'firing', 'warning', 'm', 'greater_than', 1,
          's', ${0}, '{}', true, ${shadow})`;
    await alert('never-planned', 'active');
    await alert('withheld', 'active');
    await alert('ended', 'resolved');
    await alert('shadow', 'active', true);
    await sql`
      insert into alert_notices (organization_id, alert_id, rule_id, withheld) values ('org', 'withheld', 'rul', 'flapping')`;
    await sql`
      insert into flaps (organization_id, rule_id, service_id, subject_kind, subject_name, times, flapping, last_at)
      values ('org', 'rul', 'svc', 'host', 'h', '{1970-01-01T00:00:01Z,1970-01-01T00:00:02Z,1970-01-01T00:00:03Z}', true,
        ${new Date(3_000)})`;
    await sql`
      insert into flapping_streams (organization_id, rule_id, service_id, subject_kind, subject_name, changed_at)
      values ('org', 'rul', 'svc', 'host', 'h', ${new Date()})`;
    await migrate(sql);
    const marks = await sql`select alert_id, withheld from alert_notices order by alert_id`;
    expect(marks.map(({ alert_id: id, withheld }) => [id, withheld])).toEqual([
      ['never-planned', ['changed']],
      ['withheld', ['flapping', 'changed']],
    ]);
    const before = { calmBefore: 0, lostBefore: 0 };
    const { passed } = await transact((tx) => findAlertsToRecheck(tx, null, before, 10));
    expect(passed.map(({ alertId }) => alertId)).toEqual(['never-planned', 'withheld']);
    const flap = (at: number) => ({ at, severity: 'warning' });
    expect((await readFlaps(sql, ['svc'])).map(({ log }) => log)).toEqual([
      { flaps: [1_000, 2_000, 3_000].map(flap), flapping: 'warning' },
    ]);
  } finally {
    await close();
    await database.close();
    await rm(directory, { recursive: true });
  }
});
