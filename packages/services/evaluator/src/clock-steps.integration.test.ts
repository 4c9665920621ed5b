import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const HOUR_AGO = -60;

/** Sends a value every 10 s from a host whose clock is `behind` minutes behind the server's. */
async function report(host: string, metric: string, values: readonly number[], behind = 0): Promise<void> {
  for (const value of values) {
    harness.now += 10_000;
    await harness.send(host, metric, [[-behind, value]]);
  }
}

/** Stores the host’s clock offset as the writer does, `behind` seconds. */
const liveRow = (host: string, behind: number) =>
  harness.store.sql`insert into service_live (organization_id, service_id, last_seen, clock_offset_seconds)
    select organization_id, id, ${harness.now}::timestamptz, ${behind} from services where host = ${host}`;

const repeated = (value: number, times: number) => Array.from({ length: times }, () => value);

describe('a host whose clock is set back by an hour', () => {
  test('fires by the next breach once three requests show the new clock, and shows clock skew', async () => {
    const rule = await harness.rule();
    await report('set-back', rule.metric, repeated(10, 5));
    await report('set-back', rule.metric, repeated(99, 3), 60);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await report('set-back', rule.metric, [99], 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ value_at_fire: 99, backfilled: false }]);
    const reasons = (await harness.service('set-back'))?.status_reasons;
    expect(reasons).toContainEqual(expect.objectContaining({ code: 'clock_skew' }));
    expect(JSON.stringify(reasons)).toContain('Its clock is 1 hour behind');
  });

  test('resolves the alert that fired before the step', async () => {
    const rule = await harness.rule();
    await report('resolves', rule.metric, repeated(99, 3));
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
    await report('resolves', rule.metric, repeated(10, 4), 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved', resolution: 'recovered' }]);
  });

  test('fires a pending alert after the same duration as without the step', async () => {
    const rule = await harness.rule({ duration_minutes: 5 });
    await report('pending', rule.metric, repeated(99, 12));
    await report('pending', rule.metric, repeated(99, 18), 60);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await report('pending', rule.metric, repeated(99, 2), 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  });

  test('is still evaluated after a restart of the evaluator', async () => {
    const rule = await harness.rule();
    await report('restarted', rule.metric, repeated(10, 5));
    await report('restarted', rule.metric, repeated(10, 4), 60);
    await liveRow('restarted', 3600);
    await harness.begin();
    await report('restarted', rule.metric, [99], 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ value_at_fire: 99 }]);
  });

  test('has its windows rebuilt after a restart from samples sent since the step', async () => {
    const host = 'restarted-window';
    const transform = { kind: 'average', over_minutes: 2 } as const;
    const scope = { hosts: [host] };
    const ofHost = await harness.rule({ transform, threshold: 50, scope });
    const ofProcess = await harness.rule({ metric: 'process.cpu_percent', transform, threshold: 50, scope });
    const say = async (value: number, times: number, behind = 0) => {
      for (let i = 0; i < times; i += 1) {
        harness.now += 10_000;
        const processes = [{ name: 'worker', pid: 1, cpu_percent: value }];
        await harness.send(host, ofHost.metric, [[-behind, value]], { processes });
      }
    };
    await say(99, 13);
    expect(await harness.alerts(ofHost.id)).toMatchObject([{ status: 'active', value: 99 }]);
    expect(await harness.alerts(ofProcess.id)).toMatchObject([{ status: 'active', value: 99 }]);
    await say(60, 20, 60);
    await liveRow(host, 3600);
    await harness.begin();
    await say(60, 1, 60);
    expect(await harness.alerts(ofHost.id)).toMatchObject([{ status: 'active', value: 60 }]);
    expect(await harness.alerts(ofProcess.id)).toMatchObject([{ status: 'active', value: 60 }]);
  });

  test('fires after a restart the alert that was pending before the step', async () => {
    const rule = await harness.rule({ duration_minutes: 5 });
    await report('restarted-pending', rule.metric, repeated(99, 24));
    await liveRow('restarted-pending', 3600);
    await harness.begin();
    await report('restarted-pending', rule.metric, repeated(99, 6), 60);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await report('restarted-pending', rule.metric, repeated(99, 2), 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  });

  test('has the tags of its next payload stored, although their time is older than that of the known tags', async () => {
    const rule = await harness.rule();
    const entryOf = () => [...harness.directory.entries()].find(({ host }) => host === 'tagged');
    const tagged = async (behind: number, version: string) => {
      harness.now += 10_000;
      await harness.send('tagged', rule.metric, [[-behind, 10]], { tags: { version } });
    };
    for (let i = 0; i < 3; i += 1) await tagged(0, '1');
    for (let i = 0; i < 4; i += 1) await tagged(60, '1');
    const entry = entryOf() as NonNullable<ReturnType<typeof entryOf>>;
    expect(entry.tagsAt).toBe(harness.now - 60 * MINUTE_MS);
    harness.directory.retag(entry, { version: '2' }, harness.now - 60 * MINUTE_MS + 1_000, harness.now);
    expect(entry.tags).toEqual({ version: '2' });
  });

  test('keeps the values in its windows', async () => {
    const rule = await harness.rule({ transform: { kind: 'average', over_minutes: 2 }, threshold: 50 });
    await report('window', rule.metric, repeated(99, 13));
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active', value: 99 }]);
    await report('window', rule.metric, repeated(90, 4), 60);
    const [alert] = await harness.alerts(rule.id);
    expect(alert?.value).toBeGreaterThan(90);
  });
});

test('a host whose clock is set an hour ahead is evaluated once ten requests agree on that', async () => {
  const rule = await harness.rule();
  await report('ahead', rule.metric, repeated(10, 3));
  await report('ahead', rule.metric, repeated(99, 10), HOUR_AGO);
  expect(await harness.alerts(rule.id)).toEqual([]);
  expect((await harness.service('ahead'))?.status_reasons).toMatchObject([{ code: 'clock_skew' }]);
  await report('ahead', rule.metric, [99], HOUR_AGO);
  expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  await report('ahead', rule.metric, repeated(10, 4));
  expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved' }]);
});

test('a backlog delivered an hour late does not count as a clock step and is evaluated in its own order', async () => {
  const rule = await harness.rule({ duration_minutes: 5 });
  await report('backlog', rule.metric, repeated(10, 3));
  harness.now += 60 * MINUTE_MS;
  for (let minute = 59; minute > 0; minute -= 1) {
    harness.now += 50;
    await harness.send('backlog', rule.metric, [[-minute, minute > 57 ? 99 : 10]]);
  }
  expect(await harness.alerts(rule.id)).toEqual([]);
  expect((await harness.service('backlog'))?.status_reasons).toEqual([]);
});

describe('a host whose clock has always been behind', () => {
  test.each([
    ['5 hours', 300 * 60],
    ['a tenth of a second', 0.1],
  ])(
    'fires at its time after a restart although the stored receipt is older, where it is behind by %s',
    async (_, behind) => {
      const rule = await harness.rule({ duration_minutes: 5 });
      const host = `behind-${behind}`;
      await report(host, rule.metric, repeated(99, 6), behind / 60);
      await liveRow(host, behind);
      await report(host, rule.metric, repeated(99, 18), behind / 60);
      await harness.begin();
      await report(host, rule.metric, repeated(99, 6), behind / 60);
      expect(await harness.alerts(rule.id)).toEqual([]);
      await report(host, rule.metric, [99], behind / 60);
      expect(await harness.alerts(rule.id)).toMatchObject([{ fired_at: harness.now - behind * 1_000 }]);
    },
  );

  test('has its windows rebuilt after a restart from all samples although the stored receipt is older', async () => {
    const host = 'behind-window';
    const rule = await harness.rule({ transform: { kind: 'average', over_minutes: 2 }, threshold: 50 });
    await report(host, rule.metric, repeated(10, 13), 300);
    await liveRow(host, 18_000);
    await report(host, rule.metric, repeated(45, 12), 300);
    await harness.begin();
    await report(host, rule.metric, [99], 300);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await report(host, rule.metric, [99], 300);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  });

  test('does not fire again after a restart for a sample that is sent again although the stored receipt is older', async () => {
    const host = 'behind-resent';
    const rule = await harness.rule();
    await report(host, rule.metric, repeated(10, 3), 300);
    await liveRow(host, 18_000);
    await report(host, rule.metric, [...repeated(10, 12), 99, 10], 300);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved' }]);
    await harness.begin();
    await harness.send(host, rule.metric, [[-300 - 1 / 6, 99]]);
    expect(await harness.alerts(rule.id)).toHaveLength(1);
  });
});

describe('the evaluator that restarts after a clock was set back', () => {
  const storedSteps = (host: string) =>
    harness.store
      .sql`select c.* from clock_steps c join services s on s.id = c.service_id where s.host = ${host}`;

  test('fires at its time what was pending, whether the step is known to the writer or not', async () => {
    for (const isKnown of [true, false]) {
      const host = `pending-${isKnown}`;
      const rule = await harness.rule({ duration_minutes: 5 });
      await report(host, rule.metric, repeated(99, 12));
      await report(host, rule.metric, repeated(99, 6), 60);
      if (isKnown) await liveRow(host, 3_600);
      await harness.begin();
      await report(host, rule.metric, repeated(99, 12), 60);
      expect(await harness.alerts(rule.id)).toEqual([]);
      await report(host, rule.metric, [99], 60);
      expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
    }
  });

  test('stores the step until samples have reached the time before it again', async () => {
    const rule = await harness.rule();
    await report('stepped', rule.metric, repeated(10, 4));
    await report('stepped', rule.metric, repeated(10, 3), 1);
    expect(await storedSteps('stepped')).toMatchObject([
      { newest_before: harness.now - 30_000, evaluated_until: harness.now - 60_000, moved_by_ms: -60_000 },
    ]);
    await harness.begin();
    await report('stepped', rule.metric, [10, 10], 1);
    expect(await storedSteps('stepped')).toMatchObject([{ evaluated_until: harness.now - 60_000 }]);
    await report('stepped', rule.metric, [10], 1);
    expect(await storedSteps('stepped')).toEqual([]);
  });

  test('finds the step in requests that it evaluates first after the restart', async () => {
    const rule = await harness.rule();
    await report('unseen', rule.metric, repeated(10, 5));
    await harness.begin();
    await report('unseen', rule.metric, repeated(99, 3), 60);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await report('unseen', rule.metric, [99], 60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  });

  test('forgets the step of a host that is deleted', async () => {
    const rule = await harness.rule();
    await report('deleted-step', rule.metric, repeated(10, 4));
    await report('deleted-step', rule.metric, repeated(10, 4), 60);
    expect(await storedSteps('deleted-step')).toHaveLength(1);
    await harness.deleteService('deleted-step');
    await report('another', rule.metric, [10]);
    expect(await storedSteps('deleted-step')).toEqual([]);
  });
});
