import { fleetSnapshotSchema } from '@tidewatch/contracts/services/fleet-snapshot';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../../testing/query-api.harness.ts';

const PATH = '/api/v1/services/snapshot';
const HOSTS = 6;

const api = await openForFile(openApi());

describe('a snapshot of the fleet', () => {
  const ids = Array.from({ length: HOSTS }, () => newId('svc'));

  beforeEach(async () => {
    await api.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from services where host like 'host-%'`;
    });
    await api.sql`delete from service_live`;
    await api.sql`delete from services`;
    for (const [i, id] of ids.entries()) {
      const tags = i === 5 ? {} : { region: ['eu', ''][i % 2] as string, role: `r${i}` };
      await api.sql`insert into services (organization_id, id, host, tags, status, first_seen, status_since, active_warning)
        values (${api.organizationId}, ${id}, ${`web-${HOSTS - i}`}, ${api.sql.json(tags)}, 'degraded', ${NOW - 5_000}, ${NOW - i}, ${i})`;
      if (i === 5) continue;
      await api.sql`insert into service_live (organization_id, service_id, last_seen, cpu_percent, memory_percent)
        values (${api.organizationId}, ${id}, ${NOW + i}, ${10.123456 * i}, ${i === 4 ? Number.NaN : 1e-9})`;
    }
    api.clock.now += 1_000;
  });

  const read = async (query = '', options = {}) => {
    const { status, body } = await api.get(`${PATH}${query}`, options);
    expect(status).toBe(200);
    return fleetSnapshotSchema.parse(body);
  };
  const later = async (query: string) => {
    api.clock.now += 1_000;
    return read(query);
  };

  it('holds what the list of services holds, in its order', async () => {
    const snapshot = await read('?tags=region');
    const { services } = (await api.get('/api/v1/services')).body as { services: Body[] };
    expect(snapshot).toMatchObject({ full: true, removed: [], as_of: new Date(api.clock.now).toISOString() });
    const { columns, tags } = snapshot;
    const rows = columns.id.map((id, n) => ({
      id,
      name: columns.name[n],
      status: columns.status[n],
      status_since: columns.status_since[n],
      last_seen: columns.last_seen[n],
      metrics: {
        cpu_percent: columns.cpu_percent[n],
        memory_percent: columns.memory_percent[n],
        disk_percent: columns.disk_percent[n],
      },
      active_alerts: { critical: columns.critical[n], warning: columns.warning[n], info: columns.info[n] },
    }));
    expect(rows).toEqual(services.map(({ status_reasons, tags, ...rest }) => rest));
    const { values = [], index = [] } = tags.region ?? {};
    expect(index.map((place) => (place === null ? undefined : values[place]))).toEqual(
      services.map((service) => service.tags.region),
    );
    expect(index[0]).toBeNull();
  });

  it('answers since a token what has changed, and which hosts have left', async () => {
    const first = await read('?tags=role');
    const [a, b, c, d] = ids as [string, string, string, string];
    await api.sql`update service_live set cpu_percent = 99 where service_id = ${a}`;
    await api.sql`update services set tags = '{"role":"new"}' where id = ${b}`;
    await api.sql`update services set archived_at = ${NOW} where id = ${c}`;
    await api.sql`update services set deleted_at = ${NOW} where id = ${d}`;
    const second = await later(`?tags=role&since=${first.token}`);
    expect(second.full).toBe(false);
    expect(second.columns.id).toEqual([b, a]);
    expect(second.columns.cpu_percent[1]).toBe(99);
    expect(second.tags.role).toEqual({ values: ['new', 'r0'], index: [0, 1] });
    expect(second.removed.toSorted()).toEqual([c, d].toSorted());
    const third = await later(`?tags=role&since=${second.token}`);
    expect(third).toMatchObject({ full: false, columns: { id: [] }, removed: [] });
    expect((await later(`?tags=role&since=${first.token}`)).columns.id).toEqual([b, a]);
  });

  it('answers a change that was made before a read and committed after it', async () => {
    const [a, b] = ids as [string, string];
    const first = await read();
    await api.sql.begin(async (tx) => {
      await tx`update service_live set cpu_percent = 77 where service_id = ${a}`;
      await api.sql`update services set status = 'critical' where id = ${b}`;
      const second = await later(`?since=${first.token}`);
      expect(second.columns.id).toEqual([b]);
    });
    const third = await later(`?since=${first.token}`);
    expect(third.columns).toMatchObject({ id: [b, a], cpu_percent: [expect.any(Number), 77] });
  });

  it('answers hosts that came and hosts that left, each with the values of now', async () => {
    const first = await read();
    const [a, b] = ids as [string, string];
    await api.sql`update services set deleted_at = ${NOW} where id = ${a}`;
    const second = await later(`?since=${first.token}`);
    expect([second.full, second.columns.id, second.removed]).toEqual([false, [], [a]]);
    const added = newId('svc');
    await api.sql`insert into services (organization_id, id, host, status, first_seen, status_since)
      values (${api.organizationId}, ${added}, 'web-0', 'healthy', ${NOW}, ${NOW})`;
    await api.sql`update services set active_warning = 9 where id = ${b}`;
    const third = await later(`?since=${second.token}`);
    expect(third.columns).toMatchObject({ id: [added, b], warning: [0, 9] });
    expect((await later('')).columns.id).toHaveLength(HOSTS);
  });

  it('has after each of many changes what a snapshot of a new process has', async () => {
    const { token } = await read('?tags=region,role');
    const changes = [
      (id: string) =>
        api.sql`update service_live set memory_percent = null, last_seen = now() where service_id = ${id}`,
      (id: string) =>
        api.sql`update services set tags = ${api.sql.json({ region: 'x,"y' })}, active_info = 3 where id = ${id}`,
      (id: string) => api.sql`update services set archived_at = now() where id = ${id}`,
      (id: string) => api.sql`update services set archived_at = null, status = 'offline' where id = ${id}`,
      (id: string) => api.sql`insert into service_live (organization_id, service_id, last_seen, disk_percent)
        values (${api.organizationId}, ${id}, ${NOW}, 5) on conflict (organization_id, service_id) do update set disk_percent = 6`,
    ];
    for (const [round, change] of [...changes, ...changes].entries()) {
      await change(ids[(round * 5) % HOSTS] as string);
      const known = await later('?tags=region,role');
      api.clock.now += 59_000;
      const all = await later('?tags=region,role');
      expect({ ...known, as_of: '', token: '' }).toEqual({ ...all, as_of: '', token: '' });
    }
    expect((await read(`?tags=region,role&since=${token}`)).full).toBe(false);
  });

  it('answers in full a token of other tags, of a forgotten fleet or of the future', async () => {
    const { token } = await read();
    expect((await read(`?tags=role&since=${token}`)).full).toBe(true);
    const forged = (key: unknown[]) => {
      const [list, filters] = JSON.parse(Buffer.from(token, 'base64url').toString());
      return Buffer.from(JSON.stringify([list, filters, key])).toString('base64url');
    };
    for (const time of [0, 1e18]) expect((await read(`?since=${forged(['x', time, time])}`)).full).toBe(true);
  });

  it('is read at most once a second, however many ask, and shares its body', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.get(PATH)));
    await api.sql`update services set status = 'critical'`;
    const again = await api.get(PATH);
    expect(new Set([...answers, again].map(({ text }) => text)).size).toBe(1);
    const etag = again.headers.get('etag') ?? '';
    expect((await api.get(PATH, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
    const changed = await later('');
    expect(new Set(changed.columns.status)).toEqual(new Set(['critical']));
  });

  it('shows an organization its own hosts alone', async () => {
    const { token } = await read('?tags=role');
    const theirs = await read(`?tags=role&since=${token}`, { key: 'stranger' });
    expect(theirs).toMatchObject({
      full: true,
      columns: { id: [] },
      tags: { role: { values: [], index: [] } },
    });
  });

  it.each([
    ['?since=x', '/since', 'malformed'],
    ['?since=', '/since', 'too_short'],
    [`?tags=${Array.from({ length: 11 }, (_, n) => `t${n}`)}`, '/tags', 'invalid_format'],
    ['?sort=name', '/sort', 'unsupported'],
  ])('refuses %s', async (query, path, code) => {
    const { status, body } = await api.get(`${PATH}${query}`);
    expect([status, body.errors[0]]).toMatchObject([422, { in: 'query', path, code }]);
  });

  it('of ten thousand hosts is compressed, and the same for all who ask at once', async () => {
    await addHosts(10_000);
    const [one, other] = await Promise.all(
      [1, 2].map(async () =>
        fetch(`${api.url}${PATH}`, { headers: { 'x-api-key': 'reader', 'accept-encoding': 'br' } }),
      ),
    );
    expect(one?.headers.get('content-encoding')).toBe('br');
    expect(one?.headers.get('etag')).toMatch(/^W\//);
    expect(one?.headers.get('etag')).toBe(other?.headers.get('etag'));
    const { columns } = JSON.parse(await (one as Response).text());
    expect(columns.id).toHaveLength(10_000 + HOSTS);
  });

  it('of more hosts than a snapshot holds is refused, with what to read instead', async () => {
    await addHosts(50_000);
    const { status, body } = await api.get(PATH);
    expect([status, body.code]).toEqual([422, 'unsupported']);
    expect(body.detail).toContain('more than 50000 hosts');
  });

  /** Adds hosts without running the triggers that count them, which a snapshot does not read. */
  async function addHosts(count: number): Promise<void> {
    await api.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into services (organization_id, id, host, first_seen, status_since)
        select ${api.organizationId}, 'svc_' || md5(n::text), 'host-' || n, now(), now() from generate_series(1, ${count}::int) n`;
    });
    api.clock.now += 1_000;
  }
});
