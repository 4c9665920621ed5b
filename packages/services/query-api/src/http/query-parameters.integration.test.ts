import { ROUTES } from '@tidewatch/contracts/document/routes';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const api = await openForFile(openApi());

/** The gateway answers the others: `/api/v1/ingest`, and what other agents send to. */
const OF_THE_API = ROUTES.filter(
  ({ path, scope, tag }) =>
    path.startsWith('/api/') && scope !== null && path !== '/api/v1/ingest' && tag !== 'Other agents',
);

it.each(OF_THE_API.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  'the route %s refuses an unknown parameter, and names it',
  async (_name, { method, path, query }) => {
    const target = `${path.replaceAll('{id}', newId('rul'))}?colour=red`;
    const { status, body } = await api.call(method.toUpperCase(), target, { key: 'operator' });
    const takes = query === undefined ? 'no parameters' : Object.keys(query.shape)[0];
    // With an unknown id, the response is 404 before the query is read.
    if (status === 404) return expect(path).toContain('{id}');
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toContainEqual({
      in: 'query',
      path: '/colour',
      code: 'unknown_parameter',
      message: expect.stringContaining(`The endpoint takes ${takes}`),
    });
  },
);

it('the response about an unknown parameter suggests a similar one', async () => {
  const { body } = await api.get('/api/v1/alerts?stauts=all&limt=5&Severity=critical&host=a');
  expect(
    body.errors.map(({ path, message }: Record<string, string>) => [path, message?.split('? ')[0]]),
  ).toEqual([
    ['/stauts', 'Is not a parameter. Did you mean status'],
    ['/limt', 'Is not a parameter. Did you mean limit'],
    ['/Severity', 'Is not a parameter. Did you mean severity'],
  ]);
});

it('the response about unknown parameters lists at most a hundred', async () => {
  const many = Array.from({ length: 300 }, (_, index) => `x${index}=%ff`).join('&');
  expect((await api.get(`/api/v1/alerts?${many}`)).body.errors).toHaveLength(100);
});

it('a request without a key gets 401 before its parameters are checked', async () => {
  expect((await api.get('/api/v1/alerts?colour=red', { key: null })).status).toBe(401);
  expect((await api.get('/api/v1/alerts?colour=red', { key: 'agent' })).status).toBe(403);
});

it('tags and metrics whose names contain separators can be requested', async () => {
  const [service, other] = [newId('svc'), newId('svc')];
  for (const [id, host, tags] of [
    [service, 'named', { 'aws:team': 'pay:ments', 'a,b': 'c' }],
    [other, 'other', { aws: 'team:pay:ments' }],
  ] as const)
    await api.service(id, host, tags);
  const names = async (tag: string) =>
    (await api.get(`/api/v1/services?tag=${encodeURIComponent(tag)}`)).body.services.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names('aws\\:team:pay:ments')).toEqual(['named']);
  expect(await names('"aws:team":pay:ments')).toEqual(['named']);
  expect(await names('aws:team:pay:ments')).toEqual(['other']);
  expect(await names('a,b:c')).toEqual(['named']);
  const fields = encodeURIComponent('name,"tags.a,b"');
  expect((await api.get(`/api/v1/services?fields=${fields}&q=named`)).body.services).toEqual([
    { name: 'named', tags: { 'a,b': 'c' } },
  ]);
  for (const metrics of ['latency\\,p99,cpu', '"latency,p99",cpu']) {
    const path = `/api/v1/services/${service}/metrics?metrics=${encodeURIComponent(metrics)}`;
    const { body } = await api.get(path);
    expect(body.series.map(({ metric }: { metric: string }) => metric)).toEqual(['latency,p99', 'cpu']);
  }
});
