import { openStore } from '@tidewatch/database/connection';
import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import { describe, expect, inject, it } from 'vitest';
import { GROUP_ROLES } from '../schema/provision.ts';

describe.skipIf(inject('timescale').state === 'lacked')('[needs Timescale] chunks with grants', () => {
  it('lose their grants by hide_chunks, and their rows can still be read through the hypertable', async () => {
    const database = await openForTest(startBackendDatabase('apache'));
    const { sql } = await openForTest(openStore({ url: database.adminUrl, max: 2 }));
    const as = <R>(role: string, statement: string) =>
      sql.begin(async (tx) => {
        await tx`set local role ${tx(role)}`;
        return (await tx.unsafe(statement)) as unknown as R;
      });
    // A grant as a migration might make it on a whole hypertable.
    await as('tidewatch_owner', 'grant select on samples to tidewatch_api');
    await as('tidewatch_writer', `insert into samples ("time", block_id, v0) values ('2026-11-21', 1, 5)`);
    const [{ chunk } = { chunk: '' }] = await sql<{ chunk: string }[]>`
      select i.inhrelid::regclass::text as chunk from pg_inherits i where i.inhparent = 'samples'::regclass`;
    expect(await as('tidewatch_api', `select v0 from ${chunk}`)).toEqual([{ v0: 5 }]);

    await sql`select hide_chunks()`;
    for (const role of GROUP_ROLES)
      await expect(as(role, `select v0 from ${chunk}`), role).rejects.toMatchObject({ code: '42501' });
    await as(
      'tidewatch_writer',
      `insert into samples ("time", block_id, v0) values ('2026-11-21', 1, 6), ('2026-12-24', 1, 7)
       on conflict (block_id, "time") do update set v0 = excluded.v0`,
    );
    for (const role of ['tidewatch_writer', 'tidewatch_evaluator', 'tidewatch_investigator', 'tidewatch_api'])
      expect(await as(role, 'select v0 from samples order by "time"'), role).toEqual([{ v0: 6 }, { v0: 7 }]);
  });
});
