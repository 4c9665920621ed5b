import { expect, it } from 'vitest';
import { type ClientOptions, createTidewatchClient } from './client.ts';
import { entries } from './pages.ts';
import { fakeService, json, problem } from './testing/fake-service.ts';

const clientOf = (url: string, options: Partial<ClientOptions> = {}) =>
  createTidewatchClient({ url, key: 'tw_key', random: () => 0, ...options });

it('sends the key and returns the body of a successful response', async () => {
  const service = await fakeService(json(200, { id: 'rul_1', name: 'CPU' }));
  const client = clientOf(`${service.url}/`);
  const rule = await client.get('/api/v1/alerts/rules/{id}', { params: { path: { id: 'a/b' } } });
  expect(rule.name).toBe('CPU');
  expect(service.asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/alerts/rules/a%2Fb' });
  expect(service.asked[0]?.headers['x-api-key']).toBe('tw_key');
});

it('sends the headers that it was given with every request, and no key where it has none', async () => {
  const service = await fakeService(json(200, { data: [] }));
  const client = createTidewatchClient({ url: service.url, headers: { 'X-Tidewatch-Console': '1' } });
  await client.get('/api/v1/alerts');
  expect(service.asked[0]?.headers).toMatchObject({ 'x-tidewatch-console': '1' });
  expect(service.asked[0]?.headers).not.toHaveProperty('x-api-key');
});

it('throws the problem of a refused request, with its faults', async () => {
  const fault = { in: 'body', path: '/name', code: 'missing', message: 'Must be given.' };
  const service = await fakeService(problem(422, 'validation_failed', {}, [fault]));
  const created = clientOf(service.url).post('/api/v1/silences', {
    body: { matchers: {}, from: '', until: '' },
  });
  await expect(created).rejects.toMatchObject({
    name: 'ApiProblem',
    status: 422,
    code: 'validation_failed',
    requestId: 'req-1',
    errors: [fault],
  });
  expect(service.asked).toHaveLength(1);
});

it('retries a request that is safe to repeat, with its body', async () => {
  const service = await fakeService(
    problem(503, 'shutting_down', { 'Retry-After': '0' }),
    json(201, { id: 'sil_1' }),
  );
  const body = {
    matchers: { hosts: ['web-*'] },
    from: '2026-11-22T09:00:00Z',
    until: '2026-11-22T10:00:00Z',
  };
  await clientOf(service.url).post('/api/v1/silences', { body });
  expect(service.asked.map((asked) => JSON.parse(String(asked.body)))).toEqual([body, body]);
});

it('throws the last problem when every retry has failed', async () => {
  const service = await fakeService(problem(429, 'rate_limited', { 'Retry-After': '0' }));
  const asked = clientOf(service.url, { retries: 2 }).get('/api/v1/services');
  await expect(asked).rejects.toMatchObject({ status: 429, retryAfterMs: 0 });
  expect(service.asked).toHaveLength(3);
});

it('retries when the connection is cut in the middle of a response', async () => {
  const service = await fakeService(
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"services":');
      setImmediate(() => response.destroy());
    },
    json(200, { services: [], pagination: {} }),
  );
  expect(await clientOf(service.url).get('/api/v1/services')).toMatchObject({ services: [] });
});

it('treats a 404 to the retry of a deletion as success', async () => {
  const service = await fakeService((_request, response) => response.destroy(), problem(404, 'not_found'));
  const path = { params: { path: { id: 'svc_1' } } };
  await expect(clientOf(service.url).delete('/api/v1/services/{id}', path)).resolves.toBeUndefined();
  await expect(clientOf(service.url).delete('/api/v1/services/{id}', path)).rejects.toMatchObject({
    status: 404,
  });
});

it('does not retry a creation whose response was lost', async () => {
  const service = await fakeService((_request, response) => response.destroy());
  const created = clientOf(service.url).post('/api/v1/silences', {
    body: { matchers: {}, from: '', until: '' },
  });
  await expect(created).rejects.toMatchObject({ name: 'UnreachableError', reason: 'connection' });
  expect(service.asked).toHaveLength(1);
});

it('throws UnreachableError when a response exceeds the timeout', async () => {
  const service = await fakeService(() => undefined);
  const asked = clientOf(service.url, { timeoutMs: 50, retries: 0 }).get('/api/v1/services');
  await expect(asked).rejects.toMatchObject({ name: 'UnreachableError', reason: 'timeout' });
});

it('does not follow a redirect, so that the key is sent to no other address', async () => {
  const service = await fakeService((_request, response) => {
    response.writeHead(307, { Location: 'http://127.0.0.1:9/' });
    response.end();
  });
  await expect(clientOf(service.url).get('/api/v1/services')).rejects.toMatchObject({
    status: 307,
    code: null,
  });
});

it('throws TypeError for an invalid address', () => {
  expect(() => clientOf('monitor.example')).toThrow(TypeError);
  expect(() => clientOf('file:///etc/passwd')).toThrow(TypeError);
});

it('pages through a list by its cursors', async () => {
  const page = (names: string[], next_cursor: string | null) =>
    json(200, { services: names.map((name) => ({ name })), pagination: { next_cursor } });
  const service = await fakeService(page(['a', 'b'], 'c1'), page(['c'], null));
  const names: string[] = [];
  const listed = entries(clientOf(service.url), '/api/v1/services', 'services', { status: 'healthy' });
  for await (const each of listed) names.push(each.name);
  expect(names).toEqual(['a', 'b', 'c']);
  expect(service.asked.map(({ path }) => path)).toEqual([
    '/api/v1/services?status=healthy&limit=100',
    '/api/v1/services?status=healthy&limit=100&cursor=c1',
  ]);
});
