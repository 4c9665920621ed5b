import { fakeService, json } from '@tidewatch/api-client/testing/fake-service';
import { expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

const NEWEST = { total: 1, limit: 50, offset: 0, has_more: false, next_offset: null, next_cursor: null };

it('tidewatch parts list prints each part with its host, latest values and labels', async () => {
  const part = {
    service_id: 'svc_1',
    host: 'web-01',
    kind: 'filesystem',
    name: '/var\u001b',
    labels: { type: 'ext4' },
    metrics: { free_bytes: 10, used_percent: 81.2 },
    time: '2026-11-28T09:00:00.000Z',
  };
  const service = await fakeService(json(200, { parts: [part], pagination: NEWEST }));
  const { code, stdout } = await run(service, ['parts', 'list', '--kind', 'filesystem']);
  expect(code).toBe(0);
  expect(stdout).toContain('web-01  filesystem:/var\\u001b  free_bytes=10 used_percent=81.2');
  expect(stdout).toContain('type=ext4');
});

it('tidewatch parts list sends its filters as the API takes them', async () => {
  const service = await fakeService(json(200, { parts: [], pagination: { ...NEWEST, total: 0 } }));
  const filters = ['--name', '/var*', '--tag', 'a\\:b=c', '--label', 'type=ext4', '--sort', '-host'];
  const { code } = await run(service, ['parts', 'list', ...filters]);
  expect(code).toBe(0);
  const { searchParams } = new URL(service.asked[0]?.path ?? '', 'http://localhost');
  expect(Object.fromEntries(searchParams)).toEqual({
    name: '/var*',
    tag: 'a\\:b:c',
    label: 'type:ext4',
    sort: '-host',
  });
});

it('tidewatch parts list reads the list as of a time, or of how long ago', async () => {
  const service = await fakeService(json(200, { parts: [], pagination: { ...NEWEST, total: 0 } }));
  const before = Date.now();
  expect((await run(service, ['parts', 'list', '--as-of', '2h'])).code).toBe(0);
  expect((await run(service, ['parts', 'list', '--as-of', '2026-11-28T09:00:00Z'])).code).toBe(0);
  const asked = service.asked.map(({ path }) => new URL(path, 'http://localhost').searchParams.get('as_of'));
  const ago = before - Date.parse(asked[0] ?? '');
  expect(ago).toBeGreaterThan(7_200_000 - 60_000);
  expect(ago).toBeLessThan(7_200_000 + 60_000);
  expect(asked[1]).toBe('2026-11-28T09:00:00Z');
});
