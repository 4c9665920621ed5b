import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, PeerFacts, PeerMetricFacts, Series } from '../../facts.ts';

export const FROM = Date.UTC(2026, 0, 5, 12);
const BEFORE = 120;
const WITHIN = 40;

/** A value for each minute from two hours before the window to forty minutes into the window, which starts at minute 0. */
export type Shape = (minute: number) => number;

/** A pseudorandom number between -1 and 1 that depends on a seed and an index alone. */
export function wobble(seed: number, index: number): number {
  const mixed = Math.sin(seed * 127.1 + index * 311.7) * 43_758.5453;
  return 2 * (mixed - Math.floor(mixed)) - 1;
}

/**
 * The facts of an investigation with one metric (`cpu_percent` by default) of the alerting host and of other hosts, one
 * value a minute.
 */
export function fleetFacts(given: {
  readonly metric: string;
  readonly own: Shape;
  readonly tags?: Readonly<Record<string, string>>;
  readonly peers: readonly {
    readonly host: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly metrics: Readonly<Record<string, Shape>>;
  }[];
}): Facts {
  const to = FROM + WITHIN * MINUTE_MS;
  return {
    service: { serviceId: 'svc_own', host: 'own', tags: given.tags ?? {} },
    metric: given.metric,
    subject: { kind: 'host', name: 'own' },
    alert: null,
    question: null,
    from: FROM,
    to,
    historyFrom: FROM - BEFORE * MINUTE_MS,
    peersFrom: FROM - BEFORE * MINUTE_MS,
    intervalMs: MINUTE_MS,
    metrics: [ownMetric(given.metric, given.own)],
    snapshots: [],
    snapshotSource: null,
    payloadTimes: new Float64Array(),
    peers: given.peers.map(
      ({ host, tags, metrics }): PeerFacts => ({
        serviceId: `svc_${host}`,
        host,
        tags: tags ?? {},
        lastSeen: to,
        metrics: Object.entries(metrics).map(([metric, shape]) => peerMetric(host, metric, shape)),
      }),
    ),
    peersLeftOut: 0,
    past: [],
    pastSource: null,
    changes: [],
  };
}

function ownMetric(metric: string, shape: Shape): MetricFacts {
  return {
    subject: { kind: 'host', name: 'own' },
    metric,
    unit: null,
    history: seriesOf(shape, -BEFORE, WITHIN),
    recent: seriesOf(shape, 0, WITHIN),
    before: seriesOf(shape, -BEFORE, 0),
    source: sourceOf('own', metric),
  };
}

function peerMetric(host: string, metric: string, shape: Shape): PeerMetricFacts {
  const recent = seriesOf(shape, -BEFORE, WITHIN);
  const before = recent.values.slice(0, BEFORE).sort();
  const median = before[BEFORE >> 1] ?? 0;
  const mad = before.map((value) => Math.abs(value - median)).sort()[BEFORE >> 1] ?? 0;
  const usual = { median, mad, min: before[0] ?? 0, max: before.at(-1) ?? 0, count: BEFORE };
  return { metric, usual, recent, source: sourceOf(host, metric) };
}

function seriesOf(shape: Shape, from: number, to: number): Series {
  const minutes = Array.from({ length: to - from }, (_, i) => from + i);
  return {
    times: Float64Array.from(minutes, (minute) => FROM + minute * MINUTE_MS),
    values: Float64Array.from(minutes, shape),
  };
}

function sourceOf(host: string, metric: string) {
  const [from, to] = [FROM - BEFORE * MINUTE_MS, FROM + WITHIN * MINUTE_MS];
  return { ref: `host:${host}/${metric}`, query: `series ${host} ${metric}`, from, to };
}
