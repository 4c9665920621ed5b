import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import type { MetricFacts, PastAlertFacts } from '../facts.ts';
import { hostFacts, metricFacts, minutely, NOON, noise, snapshots, use } from '../testing/host-facts.ts';
import { alertingMetric } from './alerting-metric.ts';
import { dataGaps } from './data-gaps.ts';
import { ownMetrics } from './own-metrics.ts';
import { recurrence } from './recurrence.ts';
import { restarts } from './restarts.ts';
import { saturation } from './saturation.ts';
import { containers, processes } from './uses.ts';

const cpu = minutely('cpu_percent', 180, (ago) => (ago < 10 ? 95 : 22) + noise(ago));
const first = <T>(values: readonly T[]): T => {
  const [value] = values;
  if (value === undefined) throw new Error('nothing was found');
  return value;
};

describe('the alerting metric', () => {
  it('is reported with figures, units and times', () => {
    const found = first(alertingMetric.detect(hostFacts()));
    expect(found.title).toMatch(/^cpu_percent of web-01 rose from 2[12](\.\d)? % to 9[45](\.\d)? %$/);
    expect(found.description).toContain('at 11:50 UTC');
    expect(found.evidence[0]?.stats).toMatchObject({ shape: 'step', observed_count: 10 });
    expect(found.evidence[0]?.points.length).toBeGreaterThan(60);
  });

  it('is not reported where its level is as usual', () => {
    const still = minutely('cpu_percent', 180, (ago) => 22 + noise(ago));
    const score = alertingMetric.detect(hostFacts({ metrics: [still] }))[0]?.score ?? 0;
    expect(score).toBeLessThan(0.25);
    expect(alertingMetric.detect(hostFacts({ metric: 'unknown' }))).toEqual([]);
  });

  it('of a container is found by its name in rules', () => {
    const subject = { kind: 'container', name: 'api' } as const;
    const metric = metricFacts('cpu_percent', cpu.history, subject);
    const facts = hostFacts({ metric: 'container.cpu_percent', subject, metrics: [metric] });
    expect(first(alertingMetric.detect(facts)).subject).toEqual(subject);
  });

  it('of a process is computed from snapshots', () => {
    const subject = { kind: 'process', name: 'job' } as const;
    const facts = hostFacts({
      metric: 'process.cpu_percent',
      subject,
      metrics: [],
      snapshots: snapshots(90, (ago) => ({ processes: [use('job', ago < 10 ? 90 : 5)] })),
    });
    expect(first(alertingMetric.detect(facts)).score).toBeGreaterThan(0.8);
  });
});

describe('processes', () => {
  const facts = hostFacts({
    snapshots: snapshots(100, (ago) => ({
      processes: [
        use('nginx', 6 + noise(ago)),
        use('postgres', 9 + noise(ago, 2)),
        ...(ago < 10 ? [use('runaway-job', 72)] : []),
      ],
    })),
  });

  it('names the one that appeared with the symptom', () => {
    const found = first(processes.detect(facts));
    expect(found.subject).toEqual({ kind: 'process', name: 'runaway-job' });
    expect(found.title).toBe('Process "runaway-job" appeared at 11:50 UTC and takes 72 % of a CPU');
    expect(found.description).toContain('100 % of all increases in CPU use');
    expect(found.score).toBeGreaterThan(0.9);
  });

  it('reports no process with its usual usage', () => {
    expect(processes.detect(facts).map(({ subject }) => subject.name)).toEqual(['runaway-job']);
  });

  it('does not name a process that grew an hour before the symptom as its cause', () => {
    const early = hostFacts({
      snapshots: snapshots(100, (ago) => ({ processes: [use('backup', ago < 70 && ago > 55 ? 72 : 1)] })),
    });
    expect(processes.detect(early)[0]?.score ?? 0).toBeLessThan(0.1);
  });

  it('shows hostile names as one short line', () => {
    const name = `evil\n\u202e"; rm -rf / #${'x'.repeat(300)}`;
    const found = first(
      processes.detect(
        hostFacts({
          snapshots: snapshots(100, (ago) => ({ processes: ago < 10 ? [use(name, 72)] : [use('a', 1)] })),
        }),
      ),
    );
    expect(found.title).toMatch(/^Process "evil '; rm -rf \/ #x+…" appeared/);
    expect(found.title.length).toBeLessThan(180);
    expect(found.subject.name).toBe(name);
  });
});

it('a container that leaks is reported with its own metric and its slope', () => {
  const memory = minutely(
    'memory_percent',
    190,
    (ago) => 41 + 1.1 * Math.max(0, 49 - ago) + 0.5 * noise(ago),
  );
  const api = minutely('memory_usage', 190, (ago) => 3e8 + 1.6e8 * Math.max(0, 49 - ago), {
    kind: 'container',
    name: 'api',
  });
  const cache = minutely('memory_usage', 190, () => 1e8, { kind: 'container', name: 'cache' });
  const found = containers.detect(hostFacts({ metric: 'memory_percent', metrics: [memory, cache, api] }));
  expect(first(found)).toMatchObject({ subject: { kind: 'container', name: 'api' }, metric: 'memory_usage' });
  expect(first(found).description).toMatch(/It grows by 8\.\d+ GiB an hour/);
  expect(found).toHaveLength(1);
});

describe('metrics of the host that left their history', () => {
  it('are reported with lead and correlation, resources before effects', () => {
    const disk = minutely('disk_util_percent', 180, (ago) => (ago < 12 ? 90 : 1) + 0.1 * noise(ago, 3));
    const errors = minutely('errors_per_second', 180, (ago) => (ago < 10 ? 20 : 1) + 0.1 * noise(ago, 4));
    const calm = minutely('disk_percent', 180, (ago) => 55 + 0.1 * noise(ago, 5));
    const found = ownMetrics.detect(hostFacts({ metrics: [cpu, errors, disk, calm] }));
    expect(found.map(({ metric, detector }) => [metric, detector])).toEqual([
      ['disk_util_percent', 'own-metrics'],
      ['cpu_percent', 'own-metrics'],
      ['errors_per_second', 'own-effects'],
    ]);
    expect(first(found).description).toContain('It moved 2 minutes before cpu_percent');
  });

  it('are no cause where they got better', () => {
    const memory = minutely('memory_percent', 180, (ago) => (ago < 10 ? 20 : 60) + noise(ago, 3));
    const free = minutely('memory_free_bytes', 180, (ago) => (ago < 10 ? 2e9 : 8e9) + 1e7 * noise(ago, 3));
    const found = ownMetrics.detect(hostFacts({ metrics: [cpu, memory, free] }));
    expect(Object.fromEntries(found.map(({ metric, detector }) => [metric, detector]))).toMatchObject({
      memory_percent: 'own-effects',
      memory_free_bytes: 'own-metrics',
    });
  });

  it('of a single host are all found, the one that left its history the furthest first', () => {
    const metrics = [3, 9, 6, 0].map((size, nth) =>
      minutely(`metric_0${nth}`, 180, (ago) => 100 + (ago < 10 ? 10 * size : 0) + 5 * noise(ago, nth)),
    );
    const found = ownMetrics.detect(hostFacts({ alert: null, metric: null, metrics }));
    const names = found.map(({ metric }) => metric);
    expect(names).toEqual(['metric_01', 'metric_02', 'metric_00', 'metric_03']);
    const stayed = found.at(-1);
    expect(stayed?.title).toMatch(/^metric_03 of web-01 went to (9|10)\d(\.\d)?, as usual$/);
    expect(stayed?.description).toMatch(
      /^In \d+ values before it lay between .*, and it did not leave that range\.$/,
    );
  });

  it('of a single host come first where others move with them, before one that spiked alone', () => {
    const spike = minutely('sockets', 180, (ago) => 100 + (ago > 2 && ago < 8 ? 60 : 0) + 5 * noise(ago, 1));
    const together = [2, 3, 4, 5].map((nth) =>
      minutely(`queue_${nth}`, 180, (ago) => 100 + (ago < 20 ? 9 : 0) + 5 * noise(ago, nth)),
    );
    const found = (metrics: MetricFacts[]) =>
      ownMetrics.detect(hostFacts({ alert: null, metric: null, metrics }));
    expect(found([spike, ...together.slice(0, 1)])[0]?.metric).toBe('sockets');
    const all = found([spike, ...together]);
    expect(all[0]?.metric).toMatch(/^queue_/);
    expect(all[0]?.description).toMatch(/\. [23] other metrics of the host moved with it\.$/);
    expect(all[0]?.evidence[0]?.stats['moving_together']).toBeOneOf([2, 3]);
    expect(all.map(({ metric }) => metric)).toContain('sockets');
  });

  it('of a single host have the one that went furthest by its own range in the third place at least', () => {
    const together = [2, 3, 4, 5].map((nth) =>
      minutely(`queue_${nth}`, 180, (ago) => 100 + (ago < 20 ? 20 : 0) + 5 * noise(ago, nth)),
    );
    const slight = minutely('retries', 180, (ago) => (ago > 2 && ago < 8 ? 108 : 100) + 0.1 * noise(ago, 6));
    const found = ownMetrics.detect(hostFacts({ alert: null, metric: null, metrics: [slight, ...together] }));
    const names = found.map(({ metric }) => metric);
    expect(names.indexOf('retries')).toBe(2);
    expect(found.map(({ score }) => score)).toEqual(
      found.map(({ score }) => score).toSorted((a, b) => b - a),
    );
  });

  it('of a single host that rose from nothing alike are ordered by their own ranges', () => {
    const quiet = (ago: number, seed: number) => Math.abs(noise(ago, seed));
    const rising = (metric: string, usual: number, high: number, seed: number) =>
      minutely(metric, 180, (ago) => (ago < 10 ? high : usual * quiet(ago, seed)));
    const found = (metrics: MetricFacts[]) =>
      ownMetrics
        .detect(hostFacts({ alert: null, metric: null, metrics }))
        .map(({ metric, score }) => [metric, score] as const);
    const [steps, fine, far] = [
      minutely('steps', 180, (ago) => (ago < 10 ? 6 : 0) + (ago === 5 ? 2 : 0)),
      rising('fine', 0.01, 6, 2),
      rising('wide', 0.3, 6, 3),
    ];
    const all = found([steps, fine, far]);
    expect(all.map(([metric]) => metric)).toEqual(['fine', 'wide', 'steps']);
    expect(all[0]?.[1]).toBeGreaterThanOrEqual(all[1]?.[1] ?? Number.POSITIVE_INFINITY);
    // One that went half as far stays behind, however narrow its own range is.
    const behind = rising('behind', 0.001, 0.004, 4);
    expect(found([steps, behind])[0]?.[0]).toBe('steps');
  });

  it('of a single host that moved hardly at all are ten at most', () => {
    const metrics = Array.from({ length: 15 }, (_, nth) =>
      minutely(`metric_${nth}`, 180, (ago) => 100 + 0.1 * noise(ago, nth)),
    );
    expect(ownMetrics.detect(hostFacts({ alert: null, metric: null, metrics }))).toHaveLength(10);
  });

  it('are found without a cause of their own where a process explains them', () => {
    const growing = snapshots(100, (ago) => ({ processes: [use('job', ago < 10 ? 73 : 0)] }));
    const alone = first(ownMetrics.detect(hostFacts({ metrics: [cpu] })));
    const explained = ownMetrics.detect(hostFacts({ metrics: [cpu], snapshots: growing }));
    expect(explained[0]?.score ?? 0).toBeLessThan(alone.score / 2);
  });
});

describe('saturation', () => {
  it('says when a disk will be full', () => {
    const disk = minutely('disk_percent', 180, (ago) => 50 + (40 / 60) * Math.max(0, 60 - ago));
    const found = first(saturation.detect(hostFacts({ metric: 'disk_percent', metrics: [disk] })));
    expect(found.title).toMatch(
      /^disk_percent of web-01 is at \d\d(\.\d)? % and will be full at 12:1\d UTC$/,
    );
    expect(found.evidence[0]?.stats['slope_per_hour']).toBeCloseTo(40, -0.5);
  });

  it('finds a link at its capacity', () => {
    const link = minutely('network_transmit_bytes_per_second', 180, (ago) =>
      ago < 10 ? 1.25e8 + 1e4 * noise(ago) : 2e7 + 4e6 * noise(ago),
    );
    expect(first(saturation.detect(hostFacts({ metrics: [cpu, link] }))).title).toContain(
      'stands at its ceiling of 119.2 MiB/s',
    );
  });

  it('finds no ceiling in a rate that stays the same for as long at any level', () => {
    const held = (from: number) =>
      minutely('network_transmit_bytes_per_second', 180, (ago) =>
        ago < from ? 1.25e8 : 2e7 + 4e6 * noise(Math.floor(ago / 6)),
      );
    const ceilings = (from: number) =>
      saturation
        .detect(hostFacts({ metrics: [cpu, held(from)] }))
        .filter(({ title }) => title.includes('ceiling'));
    expect(ceilings(6)).toEqual([]);
    expect(ceilings(12)).toHaveLength(1);
  });

  it('of the processor or of memory is a finding about the metric, since processes use these up', () => {
    expect(first(saturation.detect(hostFacts())).kind).toBe('metric_shift');
    const memory = minutely('memory_percent', 180, (ago) => (ago < 10 ? 96 : 40) + noise(ago));
    const found = saturation.detect(hostFacts({ metrics: [cpu, memory] }));
    expect(found.find(({ metric }) => metric === 'memory_percent')?.kind).toBe('correlated_metric');
  });

  it('reports no resource that is far from its limit', () => {
    expect(
      saturation.detect(
        hostFacts({
          metrics: [minutely('cpu_percent', 180, (ago) => (ago < 10 ? 60 : 22) + noise(ago))],
        }),
      ),
    ).toEqual([]);
  });
});

describe('restarts', () => {
  it('are found by an uptime that falls', () => {
    const uptime = minutely('uptime_seconds', 180, (ago) => (ago < 12 ? (12 - ago) * 60 : 1e6 - ago * 60));
    const found = first(restarts.detect(hostFacts({ metrics: [cpu, uptime] })));
    expect(found).toMatchObject({
      kind: 'restart',
      subject: { kind: 'host' },
      title: 'Host web-01 restarted at 11:48 UTC',
    });
    expect(found.score).toBeGreaterThan(0.6);
  });

  it('are found and counted by containers that leave "running"', () => {
    const list = snapshots(100, (ago) => ({
      processes: [],
      containers: [
        { ...use('api', 1), image: 'api:1', status: ago === 11 || ago === 7 ? 'restarting' : 'running' },
      ],
    }));
    expect(first(restarts.detect(hostFacts({ snapshots: list }))).title).toBe(
      'Container "api" restarted 2 times, first at 11:48 UTC',
    );
  });

  it('of the host are found by pids that all change at once, and of a process by its own pid', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = snapshots(100, (ago) => ({
      processes: names.map((name, nth) => use(name, 1, 1e6, (ago < 11 ? 900 : 100) + nth)),
    }));
    expect(first(restarts.detect(hostFacts({ snapshots: all }))).subject.kind).toBe('host');
    const one = snapshots(100, (ago) => ({
      processes: names.map((name, nth) => use(name, 1, 1e6, (ago < 11 && nth === 0 ? 900 : 100) + nth)),
    }));
    const found = restarts.detect(hostFacts({ snapshots: one }));
    expect(found.map(({ subject }) => subject)).toEqual([{ kind: 'process', name: 'a' }]);
  });

  it('are distinguished from jobs that return under another pid', () => {
    const job = snapshots(100, (ago) => ({
      processes: [
        use('a', 1),
        ...(ago > 80 ? [use('job', 9, 1e6, 1)] : ago < 11 ? [use('job', 9, 1e6, 2)] : []),
      ],
    }));
    expect(restarts.detect(hostFacts({ snapshots: job }))).toEqual([]);
  });

  it('are not reported where no process or host restarted', () => {
    const calm = snapshots(100, () => ({
      processes: [use('a', 1)],
      containers: [{ ...use('api', 1), image: null, status: null }],
    }));
    expect(restarts.detect(hostFacts({ snapshots: calm }))).toEqual([]);
  });
});

describe('gaps in the data', () => {
  it('of payloads are reported, open or closed', () => {
    const times = Array.from({ length: 100 }, (_, i) => NOON - (100 - i) * MINUTE_MS);
    const closed = times.filter((time) => time < NOON - 20 * MINUTE_MS || time >= NOON - 11 * MINUTE_MS);
    expect(first(dataGaps.detect(hostFacts({ payloadTimes: Float64Array.from(closed) }))).title).toBe(
      'web-01 sent nothing for 10 minutes from 11:39 UTC',
    );
    const open = times.filter((time) => time < NOON - 10 * MINUTE_MS);
    expect(first(dataGaps.detect(hostFacts({ payloadTimes: Float64Array.from(open) }))).title).toBe(
      'web-01 has sent nothing since 11:49 UTC',
    );
    expect(dataGaps.detect(hostFacts())).toEqual([]);
  });

  it('of one metric are reported though the host reports others', () => {
    const stopped = minutely('cpu_percent', 180, () => 20);
    const cut = {
      ...stopped,
      recent: { times: stopped.recent.times.subarray(0, 20), values: stopped.recent.values.subarray(0, 20) },
    };
    expect(first(dataGaps.detect(hostFacts({ metrics: [cut] }))).title).toBe(
      'cpu_percent has not been reported since 11:39 UTC',
    );
  });
});

describe('recurrence', () => {
  const past = (daysAgo: number, given: Partial<PastAlertFacts> = {}): PastAlertFacts => ({
    serviceId: 'svc_1',
    host: 'web-01',
    id: `alr_past_${daysAgo}`,
    ruleId: 'rul_1',
    metric: 'cpu_percent',
    investigation: null,
    firedAt: NOON - daysAgo * 1_440 * MINUTE_MS - 5 * MINUTE_MS,
    resolvedAt: NOON - daysAgo * 1_440 * MINUTE_MS,
    ...given,
  });

  it('reports the hour of the day, and the comments of people', () => {
    const investigation = {
      id: 'inv_1',
      conclusion: 'root_cause_found',
      rootCause: 'process "pg_dump"',
      feedback: { helpful: true, actualRootCause: 'the nightly dump' },
    } as const;
    const found = first(
      recurrence.detect(hostFacts({ past: [past(1, { investigation }), past(2), past(3), past(4)] })),
    );
    expect(found.title).toContain('fired 4 times before');
    expect(found.title).toContain('at this hour of the day');
    expect(found.description).toMatch(
      /5 minutes\. It fired within half an hour of this time of day 4 times\. People/,
    );
    expect(found.description).toContain('investigation inv_1 that the cause was "the nightly dump"');
    expect(found.evidence[0]?.points[0]).toMatchObject({ investigation_id: 'inv_1', helpful: 'true' });
  });

  it('is of the same rule and service alone, and never of the alert itself', () => {
    expect(
      recurrence.detect(
        hostFacts({
          past: [past(1, { ruleId: 'rul_2' }), past(2, { serviceId: 'svc_2' }), past(0, { id: 'alr_1' })],
        }),
      ),
    ).toEqual([]);
  });
});
