import type { Payload, RecordedCase } from './recording.ts';

/** The values of one metric before the window and inside it; `times` of those inside, ms. */
export interface Observed {
  readonly before: readonly number[];
  readonly inside: readonly number[];
  readonly times: readonly number[];
}

/** What can be named as a cause: a host with its metrics, or one metric of the alerting host. */
export interface Candidate {
  readonly name: string;
  readonly metrics: ReadonlyMap<string, Observed>;
}

/** A case as the simple rankings see it. */
export interface Situation {
  readonly candidates: readonly Candidate[];
  readonly alertingHost: string;
  /** The alerting metric; null if the alert names only a host. */
  readonly symptom: Observed | null;
  readonly symptomMetric: string | null;
}

/** Reads the hosts of a case, or the metrics of its alerting host, from the samples that the product analyses. */
export function situationOf(
  { alert, incident }: Pick<RecordedCase, 'alert' | 'incident'>,
  payloads: readonly Payload[],
  of: 'hosts' | 'metrics',
): Situation {
  const hosts = new Map<string, Map<string, { before: number[]; inside: number[]; times: number[] }>>();
  for (const { host, timestamp, metrics } of payloads) {
    if (timestamp > incident.to) continue;
    const own = hosts.get(host) ?? new Map();
    hosts.set(host, own);
    for (const [metric, value] of Object.entries(metrics)) {
      const observed = own.get(metric) ?? { before: [], inside: [], times: [] };
      own.set(metric, observed);
      if (timestamp < incident.from) observed.before.push(value);
      else {
        observed.inside.push(value);
        observed.times.push(timestamp);
      }
    }
  }
  const alerting = hosts.get(alert.host) ?? new Map<string, Observed>();
  const candidates: Candidate[] =
    of === 'hosts'
      ? [...hosts].map(([name, metrics]) => ({ name, metrics }))
      : [...alerting].map(([name, observed]) => ({ name, metrics: new Map([[name, observed]]) }));
  return {
    candidates,
    alertingHost: alert.host,
    symptom: alert.metric === null ? null : (alerting.get(alert.metric) ?? null),
    symptomMetric: alert.metric,
  };
}
