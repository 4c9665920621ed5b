import { SERVICE_NAMES } from '@tidewatch/contracts/system/service-names';
import { systemSchema } from '@tidewatch/contracts/system/system';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const SYSTEM = '/api/v1/system';
const GIB = 2 ** 30;

const api = await openForFile(openApi());
const registry = createProcessRegistry(api.sql);

const figures = {
  lagSeconds: null as number | null,
  deadLetters: 0,
  jobFailures: 0,
  failingJobs: [] as string[],
  notificationsQueued: null as number | null,
  notificationsOldestSeconds: null as number | null,
  eventStreams: 0,
  disk: null as { freeBytes: number; totalBytes: number } | null,
};

const report = (id: string, given: Partial<Parameters<typeof registry.report>[0]> = {}) =>
  registry.report({
    id,
    roles: SERVICE_NAMES,
    version: '1.2.3',
    status: 'ready',
    reasons: [],
    figures,
    uptimeMs: 60_000,
    ...given,
  });

const read = async () => {
  api.clock.now += 60_000;
  const { status, body } = await api.get(SYSTEM, { key: 'operator' });
  expect(status).toBe(200);
  return systemSchema.strict().parse(body);
};

beforeEach(async () => {
  await api.sql`truncate processes, storage_sizes, pipeline_clocks`;
});

describe('the state of the installation', () => {
  it('is unavailable until a process reports, and ready once one of all roles does', async () => {
    expect(await read()).toMatchObject({ status: 'unavailable', processes: [], notifications: null });
    await report('one/1');
    const { processes, ...state } = await read();
    expect(state).toMatchObject({ status: 'ready', reasons: [], storage_backend: 'plain' });
    expect(processes).toMatchObject([
      { id: 'one/1', roles: SERVICE_NAMES, version: '1.2.3', status: 'ready' },
    ]);
    const [one] = processes;
    const ran = Date.parse(one?.reported_at ?? '') - Date.parse(one?.started_at ?? '');
    expect(ran).toBeGreaterThanOrEqual(60_000);
  });

  it('sums what processes measure, and takes the queue that every notifier counts only once', async () => {
    const queue = { notificationsQueued: 3, notificationsOldestSeconds: 12.5 };
    await report('one/1', { figures: { ...figures, ...queue, deadLetters: 2, eventStreams: 4 } });
    await report('two/1', {
      figures: {
        ...figures,
        ...queue,
        deadLetters: 1,
        jobFailures: 7,
        failingJobs: ['drain'],
        eventStreams: 1,
      },
    });
    expect(await read()).toMatchObject({
      dead_letters: { count: 3 },
      notifications: { queued: 3, oldest_seconds: 12.5 },
      event_streams: 5,
      jobs: { failing: ['drain'], failures: 7 },
    });
  });

  it('has the lag that processes measured, until a partition stands still for ten seconds', async () => {
    const advance = (secondsAgo: number) =>
      api.sql`insert into pipeline_clocks (partition, partitions, complete_until)
        values (0, 1, ${api.clock.now + 60_000 - secondsAgo * 1_000}::timestamptz)
        on conflict (partition) do update set complete_until = excluded.complete_until`;
    await report('one/1', { figures: { ...figures, lagSeconds: 0.25 } });
    await report('two/1', { figures: { ...figures, lagSeconds: 0.5 } });
    expect((await read()).evaluation_lag_seconds).toBeNull();
    await advance(4);
    expect((await read()).evaluation_lag_seconds).toBe(0.5);
    await advance(45);
    expect((await read()).evaluation_lag_seconds).toBe(45);
  });

  it('has the lag of each process that stores or evaluates', async () => {
    await report('one/1', { roles: ['writer'], figures: { ...figures, lagSeconds: 0.25 } });
    await report('two/1', { roles: ['gateway'] });
    const { processes } = await read();
    expect(processes.map(({ id, lag_seconds }) => [id, lag_seconds])).toEqual([
      ['one/1', 0.25],
      ['two/1', null],
    ]);
  });

  it('names a process that has stopped reporting, and none that has withdrawn', async () => {
    await report('one/1');
    await report('two/1', { roles: ['writer'] });
    await report('three/1', { roles: ['writer'] });
    await api.sql`update processes set reported_at = now() - interval '1 minute' where id = 'two/1'`;
    await registry.withdraw('three/1');
    const { status, reasons, processes } = await read();
    expect([status, reasons]).toEqual(['degraded', ['writer two/1 has stopped reporting']]);
    expect(processes.map((each) => [each.id, each.status])).toEqual([
      ['one/1', 'ready'],
      ['two/1', 'missing'],
    ]);
  });

  it('forgets a process that has not reported for a day', async () => {
    await report('two/1');
    await api.sql`update processes set reported_at = now() - interval '25 hours'`;
    await report('one/1');
    expect((await read()).processes.map(({ id }) => id)).toEqual(['one/1']);
  });

  it('says when the disk will be full, once a day of growth has been measured', async () => {
    const { now } = api.clock;
    const note = (hoursAgo: number, gib: number) =>
      api.sql`insert into storage_sizes values (${now - hoursAgo * HOUR_MS}::timestamptz, ${gib * GIB})`;
    const disk = { freeBytes: 40 * GIB, totalBytes: 100 * GIB };
    await report('one/1', { figures: { ...figures, disk } });
    await note(12, 10);
    await note(0, 12);
    expect((await read()).storage).toMatchObject({
      disk: { free_bytes: 40 * GIB, total_bytes: 100 * GIB },
      growth_bytes_per_day: null,
      days_left: null,
    });
    await note((2 * DAY_MS) / HOUR_MS, 8);
    const { storage } = await read();
    expect(storage).toMatchObject({ growth_bytes_per_day: 2 * GIB, days_left: 20 });
    expect(storage.history.map((each) => each.database_bytes / GIB)).toEqual([8, 10, 12]);
    expect(storage.database_bytes).toBeGreaterThan(1_000_000);
  });

  it('is for the operator alone', async () => {
    const { status, body } = await api.get(SYSTEM, { key: 'admin' });
    expect([status, body.code]).toEqual([403, 'scope_missing']);
  });
});
