import type { Facts, MetricFacts, PeerFacts, Series, SnapshotFacts, UseFacts, Usual } from './facts.ts';

/** Products of two sums of squares of values up to this stay finite. */
const MAX_VALUE = 1e70;
/** Products of two sums of squares of values from this on do not vanish; smaller values count as 0. */
const MIN_VALUE = 1e-70;

/**
 * Bounds the values that statistics are computed from: values beyond ±1e70, such as the largest double, which programs send for "unlimited",
 * count as ±1e70. One infinite deviation would leave every finding without a score.
 */
export function withBoundedValues(facts: Facts): Facts {
  return {
    ...facts,
    metrics: facts.metrics.map(boundedMetric),
    snapshots: facts.snapshots.map(boundedSnapshot),
    peers: facts.peers.map(boundedPeer),
  };
}

function boundedMetric(metric: MetricFacts): MetricFacts {
  const { history, recent, before } = metric;
  return {
    ...metric,
    history: boundedSeries(history),
    recent: boundedSeries(recent),
    before: boundedSeries(before),
  };
}

function boundedPeer(peer: PeerFacts): PeerFacts {
  return {
    ...peer,
    metrics: peer.metrics.map((metric) => ({
      ...metric,
      usual: boundedUsual(metric.usual),
      recent: boundedSeries(metric.recent),
    })),
  };
}

function boundedUsual(usual: Usual): Usual {
  return {
    ...usual,
    median: bounded(usual.median),
    mad: bounded(usual.mad),
    min: bounded(usual.min),
    max: bounded(usual.max),
    ...(usual.hourly && { hourly: boundedValues(usual.hourly) }),
  };
}

function boundedSnapshot(snapshot: SnapshotFacts): SnapshotFacts {
  return {
    ...snapshot,
    processes: snapshot.processes.map(boundedUse),
    containers: snapshot.containers.map((container) => ({ ...container, ...boundedUse(container) })),
  };
}

function boundedUse(use: UseFacts): UseFacts {
  const { cpuPercent, memory } = use;
  return {
    ...use,
    cpuPercent: cpuPercent === null ? null : bounded(cpuPercent),
    memory: memory === null ? null : bounded(memory),
  };
}

function boundedSeries(series: Series): Series {
  const values = boundedValues(series.values);
  return values === series.values ? series : { ...series, values };
}

function boundedValues(values: Float64Array): Float64Array {
  return values.every((value) => bounded(value) === value) ? values : values.map(bounded);
}

function bounded(value: number): number {
  const size = Math.abs(value);
  if (size > MAX_VALUE) return Math.sign(value) * MAX_VALUE;
  return size < MIN_VALUE ? 0 : value;
}
