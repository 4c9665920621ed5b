import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { comparedMetrics } from '@tidewatch/domain/investigation/departure/compared-metrics';
import { comparedSince } from '@tidewatch/domain/investigation/departure/trouble-begin';
import type { Facts, MetricFacts, PeerFacts, Series } from '@tidewatch/domain/investigation/facts';
import { peersFrom } from '@tidewatch/domain/investigation/window';
import type { Random } from '../random.ts';
import { reducePeerMetric, type Stretch, seriesBetween } from '../reduce.ts';
import type { Payload, RecordedCase } from './recording.ts';

/** How often the hosts of a recording report, and the length of the history that the product reads for them, ms. */
export interface Timing {
  readonly intervalMs: number;
  readonly historyMs: number;
}

export const FIVE_MINUTES: Timing = { intervalMs: 5 * MINUTE_MS, historyMs: 48 * HOUR_MS };
export const ONE_MINUTE: Timing = { intervalMs: MINUTE_MS, historyMs: 24 * HOUR_MS };

export interface RecordedFacts {
  readonly facts: Facts;
  /** The random name of each host of the recording. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The facts of a recorded case in the form of the product: hosts with their metrics, the alerting host by name, without
 * calls between them. Hosts have random names and order, so that neither reveals anything.
 * @param timing that of the recording; samples every five minutes by default
 */
export function recordedFacts(
  one: Pick<RecordedCase, 'incident' | 'alert'>,
  payloads: readonly Payload[],
  random: Random,
  { intervalMs, historyMs }: Timing = FIVE_MINUTES,
): RecordedFacts {
  const hosts = random.shuffled([...new Set(payloads.map(({ host }) => host))]);
  const numbers = random.shuffled(hosts.map((_, i) => i));
  const names = new Map(hosts.map((host, i) => [host, `host-${String(numbers[i]).padStart(3, '0')}`]));
  const from = one.incident.from;
  const to = one.incident.to + 1;
  const range = { from, to, historyFrom: from - historyMs, peersFrom: peersFrom({ from, to, intervalMs }) };
  const byHost = Map.groupBy(payloads, ({ host }) => host);
  const nameOf = (host: string) => ({ serviceId: `svc-${names.get(host)}`, host: names.get(host) ?? '' });
  const own = byHost.get(one.alert.host) ?? [];
  const alone: Facts = {
    service: { ...nameOf(one.alert.host), tags: {} },
    metric: one.alert.metric,
    subject: { kind: 'host', name: nameOf(one.alert.host).host },
    alert: null,
    question: null,
    ...range,
    intervalMs,
    metrics: [...metricsOf(own)].map(([metric, series]) =>
      hostMetric(nameOf(one.alert.host).host, metric, series, range),
    ),
    snapshots: [],
    snapshotSource: null,
    payloadTimes: Float64Array.from(
      own.map(({ timestamp }) => timestamp).filter((time) => time >= from - HOUR_MS && time < to),
    ),
    peers: [],
    peersLeftOut: 0,
    past: [],
    pastSource: null,
    changes: [],
  };
  const stretch = { ...range, intervalMs, since: comparedSince(alone) };
  const peers = hosts
    .filter((host) => host !== one.alert.host)
    .map((host): PeerFacts => {
      const metrics = metricsOf(byHost.get(host) ?? []);
      const reduced = [...metrics].flatMap(([metric, series]) =>
        reducePeerMetric(`${names.get(host)}`, metric, series, stretch),
      );
      const compared = comparedMetrics(reduced, one.alert.metric, ({ distance }) => distance);
      const lastSeen = byHost.get(host)?.at(-1)?.timestamp ?? null;
      return { ...nameOf(host), tags: {}, lastSeen, metrics: compared.map(({ facts }) => facts) };
    });
  return { facts: { ...alone, peers }, names };
}

function metricsOf(payloads: readonly Payload[]): Map<string, Series> {
  const points = new Map<string, { times: number[]; values: number[] }>();
  for (const { timestamp, metrics } of payloads)
    for (const [metric, value] of Object.entries(metrics)) {
      const series = points.get(metric) ?? { times: [], values: [] };
      series.times.push(timestamp);
      series.values.push(value);
      points.set(metric, series);
    }
  return new Map(
    [...points].map(([metric, { times, values }]) => [
      metric,
      { times: Float64Array.from(times), values: Float64Array.from(values) },
    ]),
  );
}

function hostMetric(
  host: string,
  metric: string,
  series: Series,
  { from, to, historyFrom, peersFrom }: Pick<Stretch, 'from' | 'to' | 'historyFrom' | 'peersFrom'>,
): MetricFacts {
  return {
    subject: { kind: 'host', name: host },
    metric,
    unit: null,
    history: seriesBetween(series, historyFrom, to),
    recent: seriesBetween(series, from, to),
    before: seriesBetween(series, peersFrom, from),
    source: { ref: `host:${host}/${metric}`, query: `series ${host} ${metric}`, from: historyFrom, to },
  };
}
