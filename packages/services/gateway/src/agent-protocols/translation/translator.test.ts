import { expect, test } from 'vitest';
import { cpu, openTranslator, type Point, WEB } from '../../testing/translator.harness.ts';

test('cores and modes of node_exporter become cpu_percent, without waiting for disks', () => {
  const { values } = openTranslator();
  const scrape = (seconds: number): Point[] =>
    [0, 1].flatMap((core) => [
      ['node_cpu_seconds_total', cpu(core, 'idle'), 100 + seconds * 0.5],
      ['node_cpu_seconds_total', cpu(core, 'iowait'), 10 + seconds * 0.1],
      ['node_cpu_seconds_total', cpu(core, 'user'), 50 + seconds * 0.4],
    ]);
  expect(values(scrape(0), 0)).toEqual({});
  const second = values(scrape(15), 15);
  expect(second.cpu_percent).toBeCloseTo(40);
  expect(second.node_cpu_seconds_user_per_second).toBeCloseTo(0.8);
});

test('a scrape that comes in two requests gives sums once all of it is there, at the time of the scrape', () => {
  const { values } = openTranslator();
  const scrape = (seconds: number, core: number): Point[] => [
    ['node_cpu_seconds_total', cpu(core, 'idle'), 100 + seconds * 0.5],
    ['node_cpu_seconds_total', cpu(core, 'user'), 50 + seconds * 0.5],
  ];
  for (const core of [0, 1]) values(scrape(0, core), 0);
  expect(values(scrape(15, 0), 15)).toEqual({});
  expect(values(scrape(15, 1), 15).cpu_percent).toBeCloseTo(50);
});

test('file systems become parts with used_percent, and disk_percent of the host', () => {
  const { values } = openTranslator();
  const at = (mountpoint: string, fstype: string) => ({
    ...WEB,
    mountpoint,
    fstype,
    device: `/dev/${fstype}`,
  });
  const of = (mountpoint: string, fstype: string, size: number, free: number): Point[] => [
    ['node_filesystem_size_bytes', at(mountpoint, fstype), size],
    ['node_filesystem_free_bytes', at(mountpoint, fstype), free],
    ['node_filesystem_avail_bytes', at(mountpoint, fstype), free],
  ];
  const all = values([
    ...of('/', 'ext4', 100, 60),
    ...of('/var', 'xfs', 100, 20),
    ...of('/run', 'tmpfs', 100, 1),
  ]);
  expect(all).toMatchObject({
    'filesystem:/ used_percent': 40,
    'filesystem:/var used_percent': 80,
    'filesystem:/run node_filesystem_free_bytes': 1,
    disk_percent: 40,
    disk_fullest_percent: 80,
  });
  expect(all).not.toHaveProperty('filesystem:/run used_percent');
});

test('up, scrape_ and information make no sample of a host', () => {
  const { translate } = openTranslator();
  const { payloads, batch } = translate([
    ['up', WEB, 0],
    ['scrape_duration_seconds', WEB, 0.1],
    ['node_uname_info', { ...WEB, nodename: 'web-01' }, 1],
  ]);
  expect(payloads).toEqual([]);
  expect(Object.fromEntries(batch.omissions)).toEqual({ sign_of_scrape: 2, information: 1 });
});

test('an instance of localhost is the host that its kernel names', () => {
  const { translate } = openTranslator();
  const local = { instance: 'localhost:9100', job: 'node' };
  const { payloads } = translate([
    ['node_load1', local, 0.5],
    ['node_uname_info', { ...local, nodename: 'db-01' }, 1],
  ]);
  expect(payloads.map(({ host, metrics }) => [host, metrics])).toEqual([['db-01', ['node_load1', 'load_1']]]);
});

test('series that name no host are rejected with what to do', () => {
  const { translate } = openTranslator();
  const { payloads, batch } = translate([['http_requests_total', { job: 'shop' }, 1]]);
  expect(payloads).toEqual([]);
  expect(batch.refusals).toMatchObject({
    points: 1,
    examples: ['http_requests_total names no host: add external_labels: {host: …}, or relabel instance'],
  });
});

test('series of an application belong to a part of its job', () => {
  const { values } = openTranslator();
  const requests = (value: number): Point => [
    'http_requests_total',
    { instance: 'web-01:8080', job: 'shop', code: '200' },
    value,
  ];
  values([requests(0)], 0);
  expect(values([requests(50)], 10)).toEqual({ 'job:shop,code=200 http_requests_per_second': 5 });
});

test('further labels of a known family are tags of the host, sent when they change', () => {
  const { translate } = openTranslator();
  const first = translate([['node_load1', { ...WEB, env: 'prod', rack: 'r1' }, 1]]);
  expect(first.payloads[0]?.tags).toEqual({ env: 'prod', rack: 'r1' });
  first.commit();
  expect(
    translate([['node_load1', { ...WEB, env: 'prod', rack: 'r1' }, 1]], 10).payloads[0]?.tags,
  ).toBeUndefined();
  expect(
    translate([['node_load1', { ...WEB, env: 'prod', rack: 'r1' }, 1]], 70).payloads[0]?.tags,
  ).toBeDefined();
});

test('once a minute a host says how many of its series are stored and left out', () => {
  const { translate } = openTranslator();
  const points: Point[] = [
    ['node_load1', WEB, 1],
    ['go_goroutines', WEB, 7],
  ];
  const parts = (seconds: number) => translate(points, seconds).payloads[0]?.parts;
  translate(points, -1_000);
  expect(parts(0)).toMatchObject({
    shape: { kinds: ['agent'], names: ['remote_write'], labels: [{ left_out: 'exporter 1' }] },
    values: [1, 1, 0],
  });
  expect(parts(30)).toBeUndefined();
  expect(parts(60)).toBeDefined();
});

test('parts that stay away make room for others once their series are forgotten', () => {
  const { translate, table } = openTranslator();
  const disks = (first: number): Point[] =>
    Array.from({ length: 300 }, (_, index) => [
      'node_disk_io_now',
      { ...WEB, device: `disk${first + index}` },
      1,
    ]);
  const { batch } = translate(disks(0));
  expect(batch.refusals).toMatchObject({ points: 44, examples: expect.any(Array) });
  expect(translate(disks(1_000), 10).batch.refusals.points).toBe(300);
  table.turn();
  table.turn();
  expect(table.size).toBe(0);
  const { payloads } = translate(disks(1_000), 20);
  expect(payloads[0]?.parts?.shape.names).toContain('disk1000');
});

test('a series that named no host is stored once its host is known', () => {
  const { translate } = openTranslator();
  const app = { instance: 'localhost:8080', job: 'shop' };
  expect(translate([['queue_length', app, 3]]).batch.refusals.points).toBe(1);
  translate([['node_uname_info', { instance: 'localhost:9100', job: 'node', nodename: 'db-01' }, 1]], 10);
  expect(translate([['queue_length', app, 3]], 20).payloads[0]?.host).toBe('db-01');
});

test('series of applications are left out where the installation wants none', () => {
  const { translate } = openTranslator({}, {}, false);
  const { payloads, batch } = translate([
    ['node_load1', WEB, 1],
    ['http_requests_total', { instance: 'web-01:8080', job: 'shop' }, 1],
  ]);
  expect(payloads.map(({ metrics }) => metrics)).toEqual([['node_load1', 'load_1']]);
  expect(Object.fromEntries(batch.omissions)).toEqual({ application: 1 });
});

test('a metric is stored again once the numbers of groups of points are given again', () => {
  const { translate, values } = openTranslator();
  const load = (instance: string): Point[] => [['node_load1', { job: 'node', instance }, 1]];
  const stored = { node_load1: 1, load_1: 1 };
  expect(values(load('web-01:9100'), 0)).toMatchObject(stored);
  for (let group = 2; group <= 65_535; group += 1) translate(load('web-02:9100'), group);
  expect(values(load('web-01:9100'), 70_000)).toMatchObject(stored);
});
