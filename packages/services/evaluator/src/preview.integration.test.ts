import type { Condition } from '@tidewatch/contracts/rules/condition';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf, overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { openForFile } from '@tidewatch/harness/opened';
import { previewRule } from '@tidewatch/store/preview/preview';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from './testing/evaluator.harness.ts';
import { partsOf } from './testing/parts.fixture.ts';

const harness = await openForFile(EvaluatorHarness.open('rows'));

const NEVER = new AbortController().signal;
/** Start of the streams, in minutes relative to the harness’s clock. */
const BEGIN = -3_000;

/** Computes the rollups of a host from its samples, of this slot of its blocks. */
async function rollUp(host: string, slot = 0): Promise<void> {
  const { sql } = harness.store;
  for (const [table, width, day] of [
    ['rollup_1m', '1 minute', DAY_MS],
    ['rollup_1h', '1 hour', 31 * DAY_MS],
  ] as const) {
    const first = Math.floor((harness.now - 4 * DAY_MS) / day) * day;
    for (let at = first; at < harness.now + DAY_MS; at += day)
      await sql`select ensure_partition(${table}, ${at}::timestamptz, ${at + day}::timestamptz)`;
    const columns = ['sum', 'cnt', 'min', 'max'].map((name) => `${name}${slot}`);
    const value = sql(`v${slot}`);
    await sql`insert into ${sql(table)} (bucket, block_id, ${sql.unsafe(columns.join(', '))})
      select date_bin(${width}::interval, s."time", 'epoch'), s.block_id, sum(${value}), count(${value})::int, min(${value}), max(${value})
      from samples s join blocks b on b.id = s.block_id join services v on v.id = b.service_id
      where v.host = ${host} and ${value} is not null group by 1, 2
      on conflict (block_id, bucket) do update set ${sql.unsafe(columns.map((name) => `${name} = excluded.${name}`).join(', '))}`;
  }
}

interface EmittedAlert {
  subject: string;
  severity: string;
  pending: number;
  fired: number;
  resolved: number | null;
  peak: number;
}

async function preview(definition: RuleDefinition, tier: 'raw' | '1m' = 'raw'): Promise<EmittedAlert[]> {
  const raw = Math.floor((harness.now - 7 * DAY_MS) / DAY_MS) * DAY_MS;
  const request = {
    organizationId: ORGANIZATION,
    rule: definition,
    candidates: [definition],
    tier,
    signal: NEVER,
    from: harness.now + (BEGIN - 1) * 60_000,
    to: harness.now,
    maxAlerts: 10_000,
    retained: { raw, '1m': raw - 23 * DAY_MS, '1h': raw - 400 * DAY_MS, '1d': raw - 1_800 * DAY_MS },
  };
  const outcome = await inOrganization(ORGANIZATION, () => previewRule(harness.api.sql, request));
  expect(outcome.total).toBe(outcome.alerts.length);
  expect(outcome.fired).toEqual([outcome.total]);
  return outcome.alerts
    .map((alert) => ({
      subject: alert.subject.name,
      severity: alert.severity,
      pending: alert.pendingSince,
      fired: alert.firedAt,
      resolved: alert.resolvedAt,
      peak: alert.peakValue,
    }))
    .sort(inOrder);
}

async function emitted(ruleId: string): Promise<EmittedAlert[]> {
  const rows = await harness.alerts(ruleId);
  return rows
    .map((row) => ({
      subject: row.subject_name,
      severity: row.severity,
      pending: row.pending_since,
      fired: row.fired_at,
      resolved: row.resolved_at,
      peak: row.peak_value,
    }))
    .sort(inOrder);
}

function inOrder(a: EmittedAlert, b: EmittedAlert): number {
  return (
    a.fired - b.fired ||
    (a.resolved ?? Infinity) - (b.resolved ?? Infinity) ||
    (a.subject < b.subject ? -1 : 1)
  );
}

/** A generated run of similar samples at a fixed interval, followed by a pause. */
const spell = fc.record({
  samples: fc.integer({ min: 1, max: 25 }),
  step: fc.constantFrom(10, 30, 60, 100, 110, 290, 310, 700),
  values: fc.constantFrom([10, 20], [99, 97], [50, 95], [85, 70], [85, 91], [10, 99]),
  silence: fc.constantFrom(0, 0, 0, 299, 400, 2_000, 9_000),
  jitter: fc.integer({ min: 0, max: 9 }),
});

const terms = fc.record({
  condition: fc.constantFrom<Condition[]>(
    ...([
      'greater_than',
      'greater_than',
      'greater_than',
      'less_than',
      'between',
      'not_between',
      'equal',
    ] as const),
  ),
  duration_minutes: fc.constantFrom(0, 1, 3, 15),
  keep_firing_minutes: fc.constantFrom(0, 0, 2, 70),
  recovers: fc.boolean(),
  several: fc.boolean(),
  transform: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom(...(['average', 'minimum', 'maximum', 'change', 'rate_per_minute'] as const)),
        over_minutes: fc.constantFrom(2, 10, 75),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('forecast' as const),
        over_minutes: fc.constantFrom(10, 60),
        ahead_minutes: fc.constantFrom(5, 100),
      }),
    },
  ),
});

/** Generates rules with thresholds in the range of the streams' values. */
function definitionFrom({
  condition,
  recovers,
  several,
  transform,
  ...more
}: typeof terms extends fc.Arbitrary<infer T> ? T : never) {
  const ranged = condition === 'between' || condition === 'not_between';
  const directed = condition === 'greater_than' || condition === 'less_than';
  const up = condition !== 'less_than';
  // Scales thresholds down for changes, because differences between samples are smaller than their values.
  const scale = transform?.kind === 'change' ? 0.1 : transform?.kind === 'rate_per_minute' ? 0.02 : 1;
  const [warning, critical] = ranged ? [60, 80] : condition === 'equal' ? [99, 97] : up ? [80, 92] : [40, 15];
  const limit = (severity: 'warning' | 'critical') => ({
    severity,
    threshold: scale * (severity === 'warning' ? warning : critical),
    threshold_max: ranged ? scale * 96 : null,
    recovery_threshold: recovers && directed ? scale * (up ? 60 : 70) : null,
  });
  const fields = several
    ? { threshold: null, thresholds: [limit('warning'), { ...limit('critical'), duration_minutes: 2 }] }
    : { ...limit('warning'), thresholds: null };
  const levels = fields.thresholds?.map((level) => ({ duration_minutes: null, ...level })) ?? null;
  return { condition, transform, ...more, ...fields, thresholds: levels };
}

test('a preview finds the alerts that live evaluation fired, with and without the hourly minima and maxima', async () => {
  let run = 0;
  let alerts = 0;
  let resolved = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(spell, { minLength: 3, maxLength: 12 }), terms, async (spells, chosen) => {
      run += 1;
      const host = `tried-${run}`;
      const metric = `tried_${run}`;
      const fields = { metric, ...definitionFrom(chosen) };
      const { id } = await harness.rule(fields);
      const samples: [number, number][] = [];
      let at = BEGIN * 60;
      for (const { samples: count, step, values, silence, jitter } of spells) {
        for (let i = 0; i < count; i += 1) {
          at += step + ((i * jitter) % 10);
          samples.push([at / 60, values[i % values.length] as number]);
        }
        at += silence;
      }
      for (let i = 0; i < samples.length; i += 40) await harness.send(host, metric, samples.slice(i, i + 40));
      await harness.settled();
      const live = await emitted(id);
      alerts += live.length;
      resolved += live.filter((alert) => alert.resolved !== null).length;
      const definition = definitionOf(fields);
      expect(await preview(definition)).toEqual(live);
      await rollUp(host);
      expect(await preview(definition)).toEqual(live);
    }),
    { numRuns: 40, seed: 11 },
  );
  expect(alerts).toBeGreaterThan(resolved);
  expect(resolved).toBeGreaterThan(50);
}, 240_000);

test('a preview of minutes that hold one sample each finds the alerts that the samples fired', async () => {
  const { id, metric } = await harness.rule({ duration_minutes: 3, keep_firing_minutes: 2, threshold: 90 });
  const value = (minute: number) => (minute % 97 < 12 ? 95 + (minute % 5) : 40);
  const samples = Array.from({ length: 600 }, (_, i): [number, number] => [BEGIN + i, value(i)]);
  harness.now = Math.floor(harness.now / 60_000) * 60_000;
  for (let i = 0; i < samples.length; i += 100)
    await harness.send('by-minute', metric, samples.slice(i, i + 100));
  await harness.settled();
  await rollUp('by-minute');
  const live = await emitted(id);
  expect(live.length).toBeGreaterThan(4);
  const definition = definitionOf({ metric, duration_minutes: 3, keep_firing_minutes: 2, threshold: 90 });
  expect(await preview(definition, '1m')).toEqual(live);
});

test('a preview evaluates processes by name from stored payloads and ends their alerts when they are gone', async () => {
  const fields = { metric: 'process.cpu_percent', threshold: 50, duration_minutes: 1 };
  const { id } = await harness.rule(fields);
  const worker = (cpu: number) => [
    { name: 'worker', pid: 1, cpu_percent: cpu },
    { name: 'worker', pid: 2, cpu_percent: 1 },
  ];
  const steps = [
    worker(10),
    worker(60),
    worker(70),
    worker(80),
    [],
    [],
    [],
    worker(90),
    worker(90),
    worker(90),
  ];
  for (const [index, processes] of steps.entries()) {
    const time = harness.now + (index - 20) * 60_000;
    await harness.send('with-processes', 'm', [[index - 20, 1]], { time, processes } as never);
  }
  await harness.settled();
  const live = await emitted(id);
  expect(live).toMatchObject([
    { subject: 'worker', peak: 81 },
    { subject: 'worker', resolved: null },
  ]);
  expect(await preview(definitionOf(fields))).toEqual(live);
});

test('a preview evaluates each part by itself, and leaves out those that an override excludes', async () => {
  const metric = 'volume.used_percent';
  const fields: Partial<RuleDefinition> = {
    metric,
    threshold: 80,
    duration_minutes: 2,
    overrides: [
      overrideOf({ match: { part: '/backup*' }, enabled: false }),
      overrideOf({ match: { part_labels: { type: 'xfs' } }, threshold: 95 }),
    ],
  };
  const { id } = await harness.rule(fields);
  harness.now = Math.floor(harness.now / 60_000) * 60_000;
  const used = (minute: number, period: number) => (minute % period < period / 2 ? 97 : 85 - (minute % 60));
  for (let minute = -300; minute < -20; minute += 1) {
    const volume = (name: string, used_percent: number, type = 'ext4') => ({
      kind: 'volume',
      name,
      labels: { type },
      metrics: { size_bytes: 5, used_percent },
    });
    const volumes = partsOf(
      volume('/var', used(minute + 300, 31)),
      volume('/srv', used(minute + 300, 47), 'xfs'),
      volume('/backup', 99),
      volume('/quiet', 10),
    );
    await harness.send('with-volumes', 'm', [[minute, 1]], volumes);
  }
  await harness.settled();
  const live = await emitted(id);
  expect(new Set(live.map(({ subject }) => subject))).toEqual(new Set(['volume:/var', 'volume:/srv']));
  expect(live.length).toBeGreaterThan(8);
  const definition = definitionOf(fields);
  expect(await preview(definition)).toEqual(live);
  for (const slot of [1, 3, 5, 7]) await rollUp('with-volumes', slot);
  expect(await preview(definition)).toEqual(live);
  expect(await preview(definition, '1m')).toEqual(live);
});

/** The minutes for which a part is away, whether its host is away too, and which of its alerts end. */
test.each([
  { what: 'that is gone for good', away: 1_980, isHostAway: false, ends: [true] },
  { what: 'that is gone and comes back', away: 1_600, isHostAway: false, ends: [true, false] },
  { what: 'that is away for less than a day', away: 1_430, isHostAway: false, ends: [false] },
  { what: 'that is away with its host', away: 1_700, isHostAway: true, ends: [false] },
])('a preview ends the alert of a part $what as live evaluation does', async ({ away, isHostAway, ends }) => {
  const kind = `away-${away}`;
  const fields = { metric: `${kind}.used_percent`, threshold: 80, duration_minutes: 3 };
  const { id } = await harness.rule(fields);
  harness.now = Math.floor(harness.now / 60_000) * 60_000;
  const part = (name: string, used_percent: number) => ({ kind, name, metrics: { used_percent } });
  const last = -2_000;
  for (let minute = last - 60; minute < -20; minute += 10) {
    const isAway = minute > last && minute < last + away;
    if (isAway && isHostAway) continue;
    const parts = partsOf(part('/', 10), ...(isAway ? [] : [part('/mnt', 95)]));
    await harness.send(kind, 'm', [[minute, 1]], parts);
  }
  await harness.settled();
  const live = await emitted(id);
  expect(live.map(({ resolved }) => resolved !== null)).toEqual(ends);
  const definition = definitionOf(fields);
  expect(await preview(definition)).toEqual(live);
  for (const slot of [0, 1]) await rollUp(kind, slot);
  expect(await preview(definition)).toEqual(live);
  expect(await preview(definition, '1m')).toEqual(live);
});

/** The payloads without a container, whether another container is left and all lists of containers are kept, and which of its alerts end. */
test.each([
  { what: 'that is gone for good', away: 40, ends: [true] },
  { what: 'that is gone and comes back', away: 3, ends: [true, false] },
  { what: 'that is missing from two payloads', away: 2, ends: [false] },
  { what: 'that is gone with the only list of containers', away: 40, isAlone: true, ends: [true] },
  { what: 'that is gone, while no list of containers is kept', away: 40, areListsKept: false, ends: [true] },
  { what: 'that is away while its host sends no containers', away: 30, isHostAway: true, ends: [false] },
  { what: 'that is listed without numbers', away: 40, isListed: true, ends: [false] },
])('a preview ends the alert of a container $what as live evaluation does', async (given) => {
  const { away, ends, isAlone = false, areListsKept = true, isHostAway = false, isListed = false } = given;
  const host = harness.newHost();
  const fields = {
    metric: 'container.cpu_percent',
    threshold: 80,
    duration_minutes: 2,
    scope: { hosts: [host] },
  };
  const { id } = await harness.rule(fields);
  harness.now = Math.floor(harness.now / 60_000) * 60_000;
  const last = -60;
  for (let minute = last - 10; minute < -20; minute += 1) {
    const isAway = minute > last && minute <= last + away;
    const left = isListed ? [{ name: 'web', status: 'exited' }] : [];
    const own = isAway ? left : [{ name: 'web', cpu_percent: 95 }];
    const containers = [...(isAlone ? [] : [{ name: 'other', cpu_percent: 10, memory_usage: 5 }]), ...own];
    await harness.send(host, 'm', [[minute, 1]], isAway && isHostAway ? {} : { containers });
  }
  await harness.settled();
  if (!areListsKept) await harness.store.sql`update snapshots set containers = null`;
  const live = await emitted(id);
  expect(live.map(({ resolved }) => resolved !== null)).toEqual(ends);
  const definition = definitionOf(fields);
  expect(await preview(definition)).toEqual(live);
  for (const slot of [0, 1]) await rollUp(host, slot);
  expect(await preview(definition)).toEqual(live);
  expect(await preview(definition, '1m')).toEqual(live);
});

test('a preview empties the window of a container that is gone and comes back, as live evaluation does', async () => {
  const host = harness.newHost();
  const fields: Partial<RuleDefinition> = {
    metric: 'container.restart_count',
    threshold: 2,
    duration_minutes: 0,
    scope: { hosts: [host] },
    transform: { kind: 'change', over_minutes: 30 },
  };
  const { id } = await harness.rule(fields);
  harness.now = Math.floor(harness.now / 60_000) * 60_000;
  for (let minute = -100; minute < -20; minute += 1) {
    const isAway = minute >= -60 && minute < -55;
    const own = isAway ? [] : [{ name: 'web', restart_count: minute < -60 ? 0 : minute < -40 ? 10 : 20 }];
    await harness.send(host, 'm', [[minute, 1]], {
      containers: [{ name: 'other', restart_count: 0 }, ...own],
    });
  }
  await harness.settled();
  const live = await emitted(id);
  expect(live).toHaveLength(1);
  expect(await preview(definitionOf(fields))).toEqual(live);
  await rollUp(host);
  expect(await preview(definitionOf(fields), '1m')).toEqual(live);
});

test.each([
  { what: 'a container of a pattern', container: 'job-*', ends: [true] },
  { what: 'an expected container', container: 'job-1', ends: [false] },
])(
  'a preview of whether containers run ends the alert of $what that is removed as live evaluation does',
  async (given) => {
    const host = harness.newHost();
    const fields: Partial<RuleDefinition> = {
      metric: 'container.running',
      condition: 'less_than',
      threshold: 1,
      duration_minutes: 0,
      scope: { hosts: [host], container: given.container },
    };
    const { id } = await harness.rule(fields);
    harness.now = Math.floor(harness.now / 60_000) * 60_000;
    for (let minute = -60; minute < -20; minute += 1) {
      const job = { name: 'job-1', running: minute < -50 ? 1 : 0 };
      const containers = [{ name: 'other', running: 1 }, ...(minute < -40 ? [job] : [])];
      await harness.send(host, 'm', [[minute, 1]], { containers });
    }
    await harness.settled();
    const live = await emitted(id);
    expect(live.map(({ resolved }) => resolved !== null)).toEqual(given.ends);
    expect(await preview(definitionOf(fields))).toEqual(live);
    await rollUp(host);
    expect(await preview(definitionOf(fields), '1m')).toEqual(live);
  },
);

test('a preview ends the alert of a container that is gone for 40 s, where payloads come every 10 s after some that came every minute', async () => {
  const host = harness.newHost();
  const fields = {
    metric: 'container.cpu_percent',
    threshold: 80,
    duration_minutes: 0,
    scope: { hosts: [host] },
  };
  const { id } = await harness.rule(fields);
  for (let second = -3_600; second < -1_200; second += second < -1_800 ? 60 : 10) {
    const own = second > -1_500 && second <= -1_460 ? [] : [{ name: 'web', cpu_percent: 95 }];
    await harness.send(host, 'm', [[second / 60, 1]], {
      containers: [{ name: 'other', cpu_percent: 1 }, ...own],
    });
  }
  await harness.settled();
  const live = await emitted(id);
  expect(live.map(({ resolved }) => resolved !== null)).toEqual([true, false]);
  expect(await preview(definitionOf(fields))).toEqual(live);
});
