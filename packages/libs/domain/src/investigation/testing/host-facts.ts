import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, Series, SnapshotFacts, Source, Subject, UseFacts } from '../facts.ts';

/** Noon of a day: the time at which most tests request an investigation. */
export const NOON = Date.UTC(2026, 4, 5, 12);

/** A pseudorandom number between -1 and 1 that depends on its arguments alone. */
export function noise(index: number, seed = 1): number {
  const wave = Math.sin(index * 12.9898 + seed * 78.233) * 43_758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
}

/** One value a minute from `minutes` before noon until noon, by the minute counted from the end (0 is the newest). */
export function minutes(count: number, value: (ago: number) => number): Series {
  return {
    times: Float64Array.from({ length: count }, (_, i) => NOON - (count - i) * MINUTE_MS),
    values: Float64Array.from({ length: count }, (_, i) => value(count - 1 - i)),
  };
}

export function source(ref: string): Source {
  return { ref, query: `test ${ref}`, from: NOON - 180 * MINUTE_MS, to: NOON };
}

export function metricFacts(
  metric: string,
  history: Series,
  subject: Subject = { kind: 'host', name: 'web-01' },
): MetricFacts {
  const from = NOON - 40 * MINUTE_MS;
  const first = history.times.findIndex((time) => time >= from);
  const recent = { times: history.times.subarray(first), values: history.values.subarray(first) };
  return {
    subject,
    metric,
    unit: null,
    history,
    recent,
    before: {
      times: history.times.subarray(0, Math.max(0, first)),
      values: history.values.subarray(0, Math.max(0, first)),
    },
    source: source(`${subject.kind}:${subject.name}/${metric}`),
  };
}

/** The facts of a metric that has a value in each of the last `count` minutes before noon. */
export function minutely(
  metric: string,
  count: number,
  value: (ago: number) => number,
  subject?: Subject,
): MetricFacts {
  return metricFacts(metric, minutes(count, value), subject);
}

export function use(name: string, cpuPercent: number, memory = 1e8, pid = 100): UseFacts {
  return { name, count: 1, pids: [pid], cpuPercent, memory };
}

/** A snapshot a minute over the last `count` minutes. */
export function snapshots(
  count: number,
  at: (ago: number) => Pick<SnapshotFacts, 'processes'> & Partial<SnapshotFacts>,
): SnapshotFacts[] {
  return Array.from({ length: count }, (_, i) => ({
    time: NOON - (count - i) * MINUTE_MS,
    containers: [],
    ...at(count - 1 - i),
  }));
}

/** The facts of host web-01 at noon: an alert became pending ten minutes ago and fired five minutes ago. */
export function hostFacts(given: Partial<Facts> = {}): Facts {
  const pendingSince = NOON - 10 * MINUTE_MS;
  const host: Subject = { kind: 'host', name: 'web-01' };
  return {
    service: { serviceId: 'svc_1', host: 'web-01', tags: {} },
    metric: 'cpu_percent',
    subject: host,
    alert: {
      id: 'alr_1',
      ruleId: 'rul_1',
      ruleName: 'CPU is busy',
      subject: host,
      severity: 'critical',
      condition: 'greater_than',
      threshold: 90,
      noData: false,
      pendingSince,
      firedAt: NOON - 5 * MINUTE_MS,
      value: 95,
    },
    question: null,
    from: NOON - 40 * MINUTE_MS,
    to: NOON,
    historyFrom: NOON - 180 * MINUTE_MS,
    peersFrom: NOON - 100 * MINUTE_MS,
    intervalMs: MINUTE_MS,
    metrics: [minutely('cpu_percent', 180, (ago) => (ago < 10 ? 95 : 22) + noise(ago))],
    snapshots: [],
    snapshotSource: source('snapshots:web-01'),
    payloadTimes: Float64Array.from({ length: 100 }, (_, i) => NOON - (100 - i) * MINUTE_MS),
    peers: [],
    peersLeftOut: 0,
    past: [],
    pastSource: source('alerts:web-01'),
    changes: [],
    ...given,
  };
}
