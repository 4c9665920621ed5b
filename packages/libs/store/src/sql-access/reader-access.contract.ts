import { openStore, type Sql } from '@tidewatch/database/connection';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addHost, openReader, type ReaderDatabase } from './reader-login.harness.ts';

const HOUR = `now() - interval '1 hour', now() + interval '1 hour'`;

/** Tests that a login reads the organization that it is bound to, and no other, whatever it sets. */
export function describeReaderAccess(backend: string, start: () => Promise<ReaderDatabase>): void {
  describe(`a login of tidewatch_reader, ${backend}`, () => {
    const opened: { close(): unknown }[] = [];
    let admin: Sql;
    let reader: Sql;
    let unbound: Sql;

    const open = async <T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> => {
      const each = await opening;
      opened.push(each);
      return each;
    };

    beforeAll(async () => {
      const database = await open(start());
      admin = (await open(openStore({ url: database.adminUrl, max: 1 }))).sql;
      for (const organization of ['org_a', 'org_b']) await addHost(admin, organization);
      reader = (await open(openReader(admin, database, 'org_a'))).sql;
      unbound = (await open(openReader(admin, database, null))).sql;
    });
    afterAll(async () => {
      for (const each of opened.toReversed()) await each.close();
    });

    const ofOthers = (sql: Sql) => [
      sql`select host from reader_services where id = 'svc_org_b'`,
      sql.unsafe(`select * from samples_of('svc_org_b', 'cpu_percent', ${HOUR})`),
      sql.unsafe(`select * from samples_of('host-org_b', 'cpu_percent', ${HOUR})`),
      sql.unsafe(`select * from steps_of('svc_org_b', 'cpu_percent', ${HOUR})`),
      sql`select * from latest_of('svc_org_b')`,
    ];

    it('reads services, samples, steps and latest values of its organization', async () => {
      expect(await reader`select id, host, tags, status, cpu_percent from reader_services`).toEqual([
        { id: 'svc_org_a', host: 'host-org_a', tags: { role: 'web' }, status: 'healthy', cpu_percent: 42.5 },
      ]);
      for (const service of ['svc_org_a', 'host-org_a']) {
        expect(
          await reader.unsafe(`select value from samples_of('${service}', 'cpu_percent', ${HOUR})`),
        ).toEqual([{ value: 42.5 }]);
        expect(
          await reader.unsafe(`select mean, count from steps_of('${service}', 'cpu_percent', ${HOUR})`),
        ).toEqual([{ mean: 42.5, count: expect.anything() }]);
        expect(await reader`select metric, part, value from latest_of(${service})`).toEqual([
          { metric: 'cpu_percent', part: null, value: 42.5 },
          { metric: 'used', part: 'disk:/', value: 7 },
        ]);
      }
      const ofPart = await reader`
        select value from samples_of('svc_org_a', 'used', now() - interval '1 hour', now() + interval '1 hour', part => 'disk:/')`;
      expect(ofPart).toEqual([{ value: 7 }]);
    });

    it('reads nothing of another organization, whatever settings its session has', async () => {
      for (const statement of [
        'select 1',
        `set tidewatch.organization = 'org_b'`,
        `set tidewatch.organization = 'installation'`,
        'set role tidewatch_reader',
        'set search_path = pg_temp, tidewatch',
        'set row_security = off',
      ]) {
        await reader.unsafe(statement);
        for (const rows of await Promise.all(ofOthers(reader))) expect(rows, statement).toEqual([]);
        expect(await reader`select tidewatch.reader_organization() as bound`).toEqual([{ bound: 'org_a' }]);
      }
      await reader.unsafe('reset all; reset role; set search_path = tidewatch, public');
    });

    it('shows a function in a condition only rows of its organization', async () => {
      await reader.unsafe(`create temp table seen (host text);
        create function pg_temp.note(host text) returns boolean language plpgsql cost 0.0001 as $$
        begin insert into seen values (host); return true; end $$`);
      await reader`select count(*) from reader_services where pg_temp.note(host)`;
      expect(await reader`select host from seen`).toEqual([{ host: 'host-org_a' }]);
    });

    it.each([
      `set session authorization postgres`,
      `set role tidewatch_api`,
      `set role tidewatch_owner`,
      `select * from services`,
      `select * from samples`,
      `select * from samples_backfill`,
      `select * from block_latest`,
      `select * from blocks`,
      `select * from reader_logins`,
      `insert into reader_logins (organization_id, login) values ('org_b', session_user)`,
      `update reader_logins set organization_id = 'org_b'`,
      `update reader_services set host = 'other'`,
      `select * from places_of('org_b', 'svc_org_b', 'cpu_percent', null, null)`,
      `select * from stored_samples('org_b', 1, 0, 1, 0::smallint, now(), now())`,
      `select * from stored_rollups(1, 0, now(), now(), interval '1 minute')`,
      `create table tidewatch.mine (id integer)`,
      `create or replace function tidewatch.reader_organization() returns text language sql as $$ select 'org_b' $$`,
    ])('is refused: %s', async (statement) => {
      await expect(reader.unsafe(statement)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|55000|22023)$/),
      });
    });

    it('that is bound to no organization reads no service, and an error says what is missing', async () => {
      expect(await unbound`select * from reader_services`).toEqual([]);
      for (const asked of [`samples_of('svc_org_a', 'cpu_percent', ${HOUR})`, `latest_of('svc_org_a')`])
        await expect(unbound.unsafe(`select * from ${asked}`)).rejects.toMatchObject({
          code: '42501',
          message: expect.stringContaining('is bound to no organization'),
        });
    });

    it('reads nothing of a deleted service', async () => {
      await admin`update services set deleted_at = now() where organization_id = 'org_a'`;
      expect(await reader`select * from reader_services`).toEqual([]);
      expect(await reader.unsafe(`select * from samples_of('svc_org_a', 'cpu_percent', ${HOUR})`)).toEqual(
        [],
      );
      expect(await reader`select * from latest_of('svc_org_a')`).toEqual([]);
    });
  });
}
