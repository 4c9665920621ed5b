import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';
import { filesystems, partsOf } from './testing/parts.fixture.ts';

const harness = await openForFile(EvaluatorHarness.open());

const METRIC = 'filesystem.used_percent';
const MINUTES_OF_A_DAY = 1_440;
const say = (host: string, minute: number, more: object) => harness.send(host, 'beat', [[minute, 1]], more);

/** The alerts of a rule as "part status", in order of the parts. */
async function alertsOf(ruleId: string): Promise<string[]> {
  return (await harness.alerts(ruleId)).map(({ subject_name, status }) => `${subject_name} ${status}`).sort();
}

test('each part of a host has an alert of its own, which names host and part', async () => {
  const { host, rule } = await harness.ownRule({ metric: METRIC, severity: 'critical' });
  await say(host, -9, filesystems({ '/': 95, '/var': 5, '/srv': 96 }));
  expect(await alertsOf(rule.id)).toEqual(['filesystem:/ active', 'filesystem:/srv active']);
  expect(await harness.service(host)).toMatchObject({ status: 'critical', active_critical: 2 });
  await say(host, -8, filesystems({ '/': 5, '/var': 5, '/srv': 97 }));
  expect(await alertsOf(rule.id)).toEqual(['filesystem:/ resolved', 'filesystem:/srv active']);
  const alert = (await harness.alerts(rule.id)).find(({ status }) => status === 'active');
  expect(alert).toMatchObject({ subject_kind: 'part', metric: METRIC, value: 97 });
  expect(alert?.summary).toContain(`${host}, filesystem /srv: ${METRIC} is`);
});

test('a metric of the host that has the name of a metric of parts is evaluated as well', async () => {
  const { host, rule } = await harness.ownRule({ metric: METRIC });
  await harness.send(host, METRIC, [[-3, 99]], filesystems({ '/var': 98, '/srv': 1 }));
  expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active', `${host} active`]);
});

test('parts of other kinds and other metrics of the kind are not evaluated', async () => {
  const { host, rule } = await harness.ownRule({ metric: METRIC });
  await say(host, -3, {
    ...partsOf(
      { kind: 'disk', name: '/var', metrics: { used_percent: 99 } },
      { name: '/var', metrics: { inodes_percent: 99 } },
      { name: '/srv', metrics: { inodes_percent: 1, used_percent: 99 } },
    ),
  });
  expect(await alertsOf(rule.id)).toEqual(['filesystem:/srv active']);
});

describe('scope and overrides', () => {
  test('an override by name leaves parts out, and another one changes their threshold', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      overrides: [
        overrideOf({ match: { part: '/backup*' }, enabled: false }),
        overrideOf({ match: { part: ['/srv', '/data/*'] }, threshold: 98 }),
      ],
    });
    await say(
      host,
      -3,
      filesystems({ '/': 95, '/backup': 99, '/backup/old': 99, '/srv': 95, '/data/a': 99 }),
    );
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/ active', 'filesystem:/data/a active']);
  });

  test('a scope with parts applies to these parts alone, and not to the metric of the host itself', async () => {
    const host = harness.newHost();
    const rule = await harness.rule({ metric: METRIC, scope: { hosts: [host], part: '/var*' } });
    await harness.send(host, METRIC, [[-3, 99]], filesystems({ '/': 99, '/var': 99, '/var/log': 99 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active', 'filesystem:/var/log active']);
  });

  test('labels select parts, those that an earlier payload named too, and after a restart', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      overrides: [overrideOf({ match: { part_labels: { type: ['tmpfs', 'squash*'] } }, enabled: false })],
    });
    const labelled = (used: number) =>
      partsOf(
        { name: '/run', labels: { type: 'tmpfs' }, metrics: { used_percent: used } },
        { name: '/var', labels: { type: 'ext4' }, metrics: { used_percent: used } },
      );
    await say(host, -9, labelled(1));
    await say(host, -8, filesystems({ '/run': 99, '/var': 99 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active']);
    await harness.begin();
    await say(host, -7, filesystems({ '/run': 99, '/var': 99 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active']);
  });

  test('labels that were sent before there was a rule on them are known to it', async () => {
    const kind = 'volume';
    const volume = (used_percent: number, labels?: Record<string, string>) =>
      partsOf({ kind, name: '/run', ...(labels && { labels }), metrics: { used_percent } });
    for (const restarts of [false, true]) {
      const host = harness.newHost();
      await say(host, -9, volume(1, { type: 'tmpfs' }));
      await say(host, -8, volume(1));
      const rule = await harness.rule({
        metric: `${kind}.used_percent`,
        scope: { hosts: [host] },
        overrides: [overrideOf({ match: { part_labels: { type: 'tmpfs' } }, enabled: false })],
      });
      if (restarts) await harness.begin();
      await say(host, -7, volume(99));
      expect(await alertsOf(rule.id)).toEqual([]);
      await harness.deleteRule(rule.id);
      await harness.settled();
    }
  });

  test('labels of a part that was absent for a while count when it is back without naming them', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      overrides: [overrideOf({ match: { part_labels: { type: 'tmpfs' } }, enabled: false })],
    });
    await say(host, -9, partsOf({ name: '/run', labels: { type: 'tmpfs' }, metrics: { used_percent: 99 } }));
    await say(host, -8, filesystems({ '/': 1 }));
    await say(host, -7, filesystems({ '/run': 99 }));
    expect(await alertsOf(rule.id)).toEqual([]);
  });

  test('an alert ends as rule_changed once new labels leave its part out', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      overrides: [overrideOf({ match: { part_labels: { type: 'tmpfs' } }, enabled: false })],
    });
    const typed = (type: string) =>
      partsOf({ name: '/var', labels: { type }, metrics: { used_percent: 99 } });
    await say(host, -9, typed('ext4'));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active']);
    await say(host, -8, typed('tmpfs'));
    await harness.settled();
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      status: 'resolved',
      resolution: 'rule_changed',
    });
  });

  test('an alert ends as rule_changed once an override leaves its part out, with and without a restart', async () => {
    for (const restarts of [false, true]) {
      const { host, rule } = await harness.ownRule({ metric: METRIC });
      await say(host, -9, filesystems({ '/': 99, '/backup': 99 }));
      await harness.edit(rule.id, {
        overrides: [overrideOf({ match: { part: '/backup' }, enabled: false })],
      });
      if (restarts) await harness.begin();
      await harness.settled();
      expect(await alertsOf(rule.id)).toEqual(['filesystem:/ active', 'filesystem:/backup resolved']);
      await say(host, -8, filesystems({ '/': 99, '/backup': 99 }));
      expect(await harness.alerts(rule.id)).toHaveLength(2);
      await harness.deleteRule(rule.id);
      await harness.settled();
    }
  });
});

describe('restarts', () => {
  test('a pending alert of a part fires after a restart at the time at which it would have fired without', async () => {
    const { host, rule } = await harness.ownRule({ metric: METRIC, duration_minutes: 3 });
    await say(host, -6, filesystems({ '/var': 95 }));
    await say(host, -5, filesystems({ '/var': 96 }));
    await harness.begin();
    await say(host, -4, filesystems({ '/var': 97 }));
    await say(host, -3, filesystems({ '/var': 98 }));
    expect(await harness.alerts(rule.id)).toHaveLength(1);
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      pending_since: harness.now - 6 * 60_000,
      fired_at: harness.now - 3 * 60_000,
    });
  });

  test('an alert continues after a restart, and a sample that was evaluated before does not fire again', async () => {
    const { host, rule } = await harness.ownRule({ metric: METRIC });
    await say(host, -6, filesystems({ '/var': 95, '/srv': 95 }));
    await say(host, -5, filesystems({ '/var': 95, '/srv': 5 }));
    await harness.begin();
    await say(host, -6, filesystems({ '/var': 95, '/srv': 95 }));
    await say(host, -4, filesystems({ '/var': 96, '/srv': 5 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/srv resolved', 'filesystem:/var active']);
    expect((await harness.alerts(rule.id)).find(({ status }) => status === 'active')?.value).toBe(96);
  });

  test('the window of a derived value is filled from stored samples after a restart', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      transform: { kind: 'change', over_minutes: 10 },
      threshold: 20,
    });
    for (const [minute, used] of [
      [-20, 10],
      [-15, 12],
      [-12, 15],
    ] as const)
      await say(host, minute, filesystems({ '/var': used, '/srv': 1 }));
    await harness.begin();
    await say(host, -9, filesystems({ '/var': 60, '/srv': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/var active']);
  });
});

test('a take-over with the writer ahead ends the alert of a part that an override leaves out, and keeps others', async () => {
  const { host, rule } = await harness.ownRule({ metric: METRIC });
  const payload = (minute: number) => ({
    host,
    time: harness.now + minute * 60_000,
    ...metricsOf({ beat: 1 }),
    ...partsOf(
      { name: '/', labels: { type: 'ext4' }, metrics: { used_percent: 99 } },
      { name: '/run', labels: { type: 'tmpfs' }, metrics: { used_percent: 99 } },
      { name: '/backup', metrics: { used_percent: 99 } },
    ),
  });
  await harness.publish([harness.request([payload(-4)])]);
  await harness.settled();
  await harness.edit(rule.id, {
    overrides: [
      overrideOf({ match: { part: '/backup' }, enabled: false }),
      overrideOf({ match: { part_labels: { type: 'tmpfs' } }, enabled: false }),
    ],
  });
  await harness.takeOver({ writer: 2, evaluator: 1 });
  // Settles without any request of the host.
  await harness.settled();
  expect(await alertsOf(rule.id)).toEqual([
    'filesystem:/ active',
    'filesystem:/backup resolved',
    'filesystem:/run resolved',
  ]);
  await harness.publish([harness.request([payload(-3)])]);
  expect(await harness.alerts(rule.id)).toHaveLength(3);
  await harness.begin();
});

test('alerts of very many parts begin and end in several transactions, each once', async () => {
  harness.alertsAtOnce = 10;
  await harness.begin();
  try {
    const { host, rule } = await harness.ownRule({ metric: METRIC });
    const names = Array.from({ length: 35 }, (_, index) => `/mnt/${index}`);
    const all = (used: number) => filesystems(Object.fromEntries(names.map((name) => [name, used])));
    const payload = (minutes: number, used: number) => ({
      host,
      time: harness.now + minutes * 60_000,
      ...metricsOf({ beat: 1 }),
      ...all(used),
    });
    const evaluated = { store: false, retry: true };
    expect(await harness.publish([harness.request([payload(-9, 95)])], evaluated)).toBeGreaterThan(3);
    expect(new Set(await alertsOf(rule.id))).toEqual(
      new Set(names.map((name) => `filesystem:${name} active`)),
    );
    expect(await harness.alerts(rule.id)).toHaveLength(names.length);
    harness.now += MINUTES_OF_A_DAY * 60_000;
    const left = harness.request([{ ...payload(-9, 0), ...filesystems({ '/': 1 }) }]);
    expect(await harness.publish([left], evaluated)).toBeGreaterThan(3);
    const ends = (await harness.alerts(rule.id)).map(({ resolution }) => resolution);
    expect(ends).toEqual(names.map(() => 'subject_gone'));
  } finally {
    harness.alertsAtOnce = undefined;
    await harness.begin();
  }
});

describe('parts that stay away', () => {
  test('an alert lasts while its part stays away, ends as subject_gone after a day, and begins again with the part', async () => {
    const { host, rule } = await harness.ownRule({ metric: METRIC });
    const start = -3 * MINUTES_OF_A_DAY;
    await say(host, start, filesystems({ '/mnt': 99, '/': 1 }));
    for (const minutes of [1, 2, 3, 4, 700, MINUTES_OF_A_DAY - 1])
      await say(host, start + minutes, filesystems({ '/': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/mnt active']);
    await say(host, start + MINUTES_OF_A_DAY, filesystems({ '/': 1 }));
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      status: 'resolved',
      resolution: 'subject_gone',
      value: 99,
    });
    await say(host, start + MINUTES_OF_A_DAY + 1, filesystems({ '/mnt': 99, '/': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/mnt active', 'filesystem:/mnt resolved']);
  });

  test('a day of absence counts across a restart, and a day without any payload does not', async () => {
    const { host, rule } = await harness.ownRule({ metric: METRIC });
    const start = -4 * MINUTES_OF_A_DAY;
    await say(host, start, filesystems({ '/mnt': 99, '/': 99 }));
    await say(host, start + 700, filesystems({ '/': 99 }));
    await harness.begin();
    await say(host, start + 700 + 2 * MINUTES_OF_A_DAY, filesystems({ '/': 99 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/ active', 'filesystem:/mnt resolved']);
  });

  test('payloads without any parts do not count as absence', async () => {
    const { host, rule } = await harness.ownRule({ metric: METRIC });
    const start = -3 * MINUTES_OF_A_DAY;
    await say(host, start, filesystems({ '/mnt': 99 }));
    await say(host, start + 2 * MINUTES_OF_A_DAY, {});
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/mnt active']);
  });

  test('with no_data alert, a part whose samples stay away fires while its host goes on reporting', async () => {
    const { host, rule } = await harness.ownRule({
      metric: METRIC,
      no_data: { policy: 'alert', after_minutes: 1 },
    });
    await say(host, 0, filesystems({ '/mnt': 1, '/': 1 }));
    for (let second = 0; second < 120; second += 10) {
      await harness.beat(10);
      await say(host, 0, filesystems({ '/': 1 }));
    }
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/mnt active']);
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ no_data: true, value: null });
    await say(host, 0, filesystems({ '/mnt': 1, '/': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['filesystem:/mnt resolved']);
  });
});

test('an organization that has begun as many alerts as it may begins none for further parts', async () => {
  const { host, rule } = await harness.ownRule({ metric: METRIC });
  const [row] = await harness.store.sql<{ count: number }[]>`select count(*)::int as count from rule_states`;
  harness.alertInstancesLimit = (row?.count ?? 0) + 2;
  await harness.begin();
  try {
    await say(host, -3, filesystems({ '/a': 99, '/b': 99, '/c': 99, '/d': 99 }));
    expect(await harness.alerts(rule.id)).toHaveLength(2);
  } finally {
    harness.alertInstancesLimit = undefined;
    await harness.begin();
  }
});
