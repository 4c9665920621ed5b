import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiOfRows } from '../testing/query-api.harness.ts';

const HOSTS = ['web-1', 'web-2', 'db-1'];
const KINDS = ['disk', 'filesystem'];
const ROUNDS = 12;
const QUERIES = ['', 'sort=-host', 'kind=disk&sort=-name', 'host=web-1', 'tag=region:eu', 'q=1&tag=tier:a'];

const api = await openForFile(openApiOfRows());
const random = createRandom(32);
const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const services = new Map<string, string>();

const nameOf = ({ host, kind, name }: Record<string, string>) => `${host} ${kind}:${name}`;

/** The time of the database, with which versions are stored, in ms; nothing before or after happens in this millisecond. */
async function now(): Promise<number> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
  await pause();
  const [row] = await api.sql<{ at: number }[]>`select clock_timestamp() as at`;
  await pause();
  return Math.floor(row?.at ?? 0);
}

async function addPart(host: string, kind: string, name: string): Promise<number> {
  const [row] = await api.sql<{ id: number }[]>`
    insert into parts (organization_id, service_id, kind, name, host, created_at, listed)
    select organization_id, id, ${kind}, ${name}, host, clock_timestamp(), archived_at is null
    from services where organization_id = ${api.organizationId} and host = ${host} and deleted_at is null
    returning id`;
  return row?.id ?? 0;
}

async function list(query: string, by: 'offset' | 'cursor' = 'offset') {
  api.clock.now = Date.now() + SECOND_MS;
  const { seen, total } = await api.walk(`/api/v1/parts?${query}`, 'parts', by, 4);
  expect(total).toBe(seen.length);
  return seen.map((part) => nameOf(part));
}

async function addService(host: string): Promise<void> {
  const id = newId('svc');
  services.set(host, id);
  await api.service(id, host, { region: choose(['eu', 'us']), tier: choose(['a', 'b']) });
}

async function change(round: number): Promise<void> {
  for (const host of HOSTS) await addPart(host, choose(KINDS), `${round}`);
  await api.sql`update parts set gone = not gone where id % 5 = ${round % 5}`;
  const id = services.get(choose(HOSTS)) ?? '';
  await api.sql`update services set tags = ${api.sql.json({ region: choose(['eu', 'us']), tier: choose(['a', 'b']) })} where id = ${id}`;
  await api.sql`update services set archived_at = case when archived_at is null then now() end where id = ${id}`;
  if (round % 4 !== 3) return;
  const host = choose(HOSTS);
  await api.sql`update services set deleted_at = now() where id = ${services.get(host) ?? ''}`;
  await addService(host);
}

describe('the list of parts as of a time', () => {
  beforeAll(async () => {
    for (const host of HOSTS) await addService(host);
  });

  it('has the parts that were in the list then, whatever came, went, was archived or deleted since', async () => {
    const moments: { at: number; lists: string[][] }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await change(round);
      const at = await now();
      const lists: string[][] = [];
      for (const query of QUERIES) lists.push(await list(query));
      moments.push({ at, lists });
    }
    expect(new Set(moments.map(({ lists }) => String(lists[0]))).size).toBeGreaterThan(ROUNDS / 2);
    for (const { at, lists } of moments)
      for (const [index, query] of QUERIES.entries())
        for (const by of ['offset', 'cursor'] as const)
          expect(
            await list(`${query}&as_of=${new Date(at).toISOString()}`, by),
            `${query} at ${at} by ${by}`,
          ).toEqual(lists[index]);
  });

  it('has the latest values of then, which may be a day old, and nothing that came later', async () => {
    const at = await now();
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    for (const start of [day - 2 * DAY_MS, day - DAY_MS, day])
      await api.sql`select ensure_partition('samples', ${start}, ${start + DAY_MS})`;
    const kind = 'values';
    const id = await addPart('web-1', kind, '/');
    await api.sql`update parts set created_at = ${at - 2 * DAY_MS} where id = ${id}`;
    const [block] = await api.sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
      values (${api.organizationId}, ${services.get('web-1') ?? ''}, 'part', '', 0, array['used', 'free', 'old'], ${[id, id, id]})
      returning id`;
    for (const [time, used, free, old] of [
      [at - 26 * HOUR_MS, 1, 1, 1],
      [at - 3 * HOUR_MS, 2, 20, null],
      [at - 10 * MINUTE_MS, 3, null, null],
      [at - MINUTE_MS, 4, 40, 40],
    ] as const)
      await api.sql`insert into samples ("time", block_id, v0, v1, v2) values (${time}, ${block?.id ?? 0}, ${used}, ${free}, ${old})`;
    const then = async (time: number) => {
      const answer = await api.get(`/api/v1/parts?kind=${kind}&as_of=${new Date(time).toISOString()}`);
      return answer.body['parts'];
    };
    const [part] = await then(at - 5 * MINUTE_MS);
    expect(part).toEqual({
      service_id: services.get('web-1'),
      host: 'web-1',
      kind,
      name: '/',
      labels: {},
      metrics: { used: 3, free: 20 },
      time: new Date(at - 10 * MINUTE_MS).toISOString(),
    });
    expect((await then(at))[0].metrics).toEqual({ used: 4, free: 40, old: 40 });
    const [before] = await then(at - 40 * HOUR_MS);
    expect([before.metrics, before.time]).toEqual([{}, new Date(at - 2 * DAY_MS).toISOString()]);
    expect(await then(at - 49 * HOUR_MS)).toEqual([]);
  });

  it.each<[string, string]>([
    ['as_of=2020-01-01T00:00:00Z', '/as_of'],
    ['as_of=yesterday', '/as_of'],
    ['sort=last_seen', '/sort'],
    ['kind=disk&sort=-used_percent', '/sort'],
  ])('?%s is 422 at %s', async (query, path) => {
    api.clock.now = Date.now();
    const asOf = query.includes('as_of') ? '' : `&as_of=${new Date(api.clock.now - HOUR_MS).toISOString()}`;
    const answer = await api.get(`/api/v1/parts?${query}${asOf}`);
    expect([answer.status, answer.body['errors'][0].path]).toEqual([422, path]);
  });
});
