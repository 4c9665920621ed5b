import { newId } from '@tidewatch/contracts/values/id';
import { openStore } from '@tidewatch/database/connection';
import { INSTALLATION, inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';

const [MINE, THEIRS] = [newId('org'), newId('org')];

const admin = await storeForFile({ organizations: [MINE, THEIRS] });
const store = await openForFile(openStore({ url: admin.database.apiUrl, bindsOrganization: true, max: 2 }));

describe('an organization that is bound', () => {
  beforeAll(async () => {
    for (const organization of [MINE, THEIRS]) {
      await admin.sql`
        insert into services (organization_id, id, host, first_seen, status_since)
        values (${organization}, ${newId('svc')}, ${`host of ${organization}`}, now(), now())`;
    }
  });

  const organizations = async (sql = store.sql) =>
    (
      await sql<{ organization_id: string }[]>`select organization_id from services order by organization_id`
    ).map((row) => row.organization_id);

  it('is all that a statement without a condition sees', async () => {
    expect(await inOrganization(MINE, () => organizations())).toEqual([MINE]);
    expect(await inOrganization(THEIRS, () => organizations())).toEqual([THEIRS]);
  });

  it('is necessary: without one, a statement sees no rows', async () => {
    expect(await organizations()).toEqual([]);
    expect(await store.transact((tx) => tx`select 1 from services`)).toHaveLength(0);
  });

  it('applies to its own statements only, also when many statements share few connections', async () => {
    const seen = Array.from({ length: 60 }, (_, index) => {
      const own = index % 2 === 0 ? MINE : THEIRS;
      return inOrganization(own, async () => ({ own, seen: await organizations() }));
    });
    for (const each of await Promise.all(seen)) expect(each.seen).toEqual([each.own]);
  });

  it('applies until the end of its transaction', async () => {
    const work = () =>
      store.transact(
        async (tx) =>
          (await tx<{ organization_id: string }[]>`select organization_id from services`)[0]?.organization_id,
      );
    expect(await inOrganization(MINE, work)).toBe(MINE);
    expect(await inOrganization(THEIRS, work)).toBe(THEIRS);
    expect(await work()).toBeUndefined();
  });

  it('cannot write rows of another organization', async () => {
    const write = (organization: string) =>
      inOrganization(
        MINE,
        () => store.sql`insert into outbox (organization_id, event) values (${organization}, '{}')`,
      );
    await expect(write(MINE)).resolves.toBeDefined();
    await expect(write(THEIRS)).rejects.toMatchObject({ code: '42501' });
    const changed = await inOrganization(MINE, () => store.sql`update services set host = 'taken'`);
    expect(changed.count).toBe(1);
  });

  it('can use fragments, parameters and identifiers as with an ordinary pool', async () => {
    const { sql } = store;
    const only = sql`where organization_id = ${MINE}`;
    const rows = await inOrganization(
      MINE,
      () => sql`select ${sql('organization_id')}, ${sql.json({ a: 1 })}::jsonb as j from services ${only}`,
    );
    expect([...rows]).toEqual([{ organization_id: MINE, j: { a: 1 } }]);
    expect(await inOrganization(MINE, () => sql.unsafe('select organization_id from services'))).toHaveLength(
      1,
    );
  });

  it('is bound again for the next statement after a statement lost its connection', async () => {
    const kill = () =>
      admin.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'tidewatch_test_api' and datname = ${admin.database.name}`;
    const asked = inOrganization(MINE, () => store.sql`select pg_sleep(5)`);
    const failed = expect(asked).rejects.toMatchObject({ code: /57P01|CONNECTION/ });
    await expect.poll(async () => (await kill()).length).toBeGreaterThan(0);
    await failed;
    await expect.poll(() => inOrganization(MINE, () => organizations()).catch(() => [])).toEqual([MINE]);
  });

  it('is not visible to the operator, except for the organization itself', async () => {
    const list = () => store.sql`select id from organizations`;
    expect(await inOrganization(INSTALLATION, list)).toHaveLength(2);
    expect(await inOrganization(MINE, list)).toHaveLength(1);
    expect(await inOrganization(INSTALLATION, () => organizations())).toEqual([]);
  });

  it('must be an id: any other text is refused', () => {
    expect(() => inOrganization("x' or true --", () => 1)).toThrow(RangeError);
  });
});
