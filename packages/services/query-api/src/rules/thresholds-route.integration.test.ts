import { ruleThresholdsPageSchema } from '@tidewatch/contracts/rules/rule-thresholds';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';

const api = await openForFile(openApi());

describe('the thresholds of a rule for each host', () => {
  let path: string;

  beforeAll(async () => {
    const hosts = {
      'a-big': { size: 'big' },
      'b-out': { env: 'test' },
      'c-spared': { size: 'tiny' },
      'd-plain': {},
    };
    for (const [host, tags] of Object.entries(hosts))
      await api.service(newId('svc'), host, { env: 'live', ...tags });
    const rule = await api.call('POST', RULES, {
      body: {
        name: 'CPU',
        metric: 'cpu_percent',
        condition: 'greater_than',
        threshold: 90,
        scope: { tags: { env: 'live' } },
        overrides: [
          { match: { tags: { size: 'big' } }, threshold: 97, severity: 'critical' },
          { match: { tags: { size: 'tiny' } }, enabled: false },
          { match: { hosts: ['a-*'] }, threshold: 50 },
        ],
      },
    });
    expect(rule.status).toBe(201);
    path = `${RULES}/${rule.body.id}/thresholds`;
  });

  const short = ({ host, evaluated, overridden, terms }: Body) => [
    ...[host, evaluated, overridden, terms?.threshold ?? null, terms?.severity ?? null],
  ];

  it('are listed for every service that is not deleted, by the first override that matches', async () => {
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    expect(ruleThresholdsPageSchema.parse(body)).toEqual(body);
    expect(body.thresholds.map(short)).toEqual([
      ['a-big', true, true, 97, 'critical'],
      ['b-out', false, false, null, null],
      ['c-spared', false, true, null, null],
      ['d-plain', true, false, 90, 'warning'],
    ]);
    expect(body.pagination).toMatchObject({ total: 4, has_more: false });
  });

  it('are filtered and paged like services', async () => {
    const big = await api.get(`${path}?tag=size:big`);
    expect(big.body.thresholds.map(short)).toEqual([['a-big', true, true, 97, 'critical']]);
    const first = await api.get(`${path}?limit=3`);
    const rest = await api.get(`${path}?limit=3&cursor=${first.body.pagination.next_cursor}`);
    expect(rest.body.thresholds.map(({ host }: Body) => host)).toEqual(['d-plain']);
    expect((await api.get(`${path}?q=spared`)).body.pagination.total).toBe(1);
    expect((await api.get(`${path}?limit=0`)).status).toBe(422);
  });

  it('report that a disabled rule evaluates no host, and are 404 for an unknown rule', async () => {
    await api.call('PATCH', path.replace('/thresholds', ''), { body: { enabled: false } });
    const { body } = await api.get(path);
    expect(body.thresholds.map(({ evaluated }: Body) => evaluated)).toEqual([false, false, false, false]);
    expect((await api.get(`${RULES}/${newId('rul')}/thresholds`)).status).toBe(404);
  });
});
