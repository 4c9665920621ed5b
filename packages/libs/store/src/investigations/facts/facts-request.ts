import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { comparedStep, peersFrom } from '@tidewatch/domain/investigation/window';
import type { Tier } from '@tidewatch/domain/rollup/buckets';

/** The parameters of what an investigation reads from the store. Times are in ms, the range is `[from, to)`. */
export interface FactsRequest {
  organizationId: string;
  serviceId: string;
  /** The metric as named in rules; null if only a host was named. */
  metric: string | null;
  /** The alert that opened the investigation and those that joined it; none of them counts as an earlier alert. */
  alertIds: readonly string[];
  question: string | null;
  from: number;
  to: number;
  /** The time from which on each tier has all rows. */
  retained: Readonly<Record<Tier, number>>;
  maxPeers: number;
  /** Aborts the reading of facts between two statements, with the signal's reason. */
  signal: AbortSignal;
}

/** A request for facts with the subject and metric that were found. */
export interface FactsQuery extends FactsRequest {
  /** The metric as named in `MetricFacts`: without `container.` or `process.`. */
  metric: string | null;
  subject: Subject;
}

/** The time ranges that are read besides the window. */
export interface Stretches {
  historyFrom: number;
  /** The start of the series of peers, ms. */
  peersFrom: number;
  peerStepMs: number;
  /** The start for processes, containers and payload times. */
  snapshotsFrom: number;
}

/** Hosts with a longer interval than this need a longer history for the same number of samples. */
const LONG_INTERVAL_MS = 2 * MINUTE_MS;

/** How far before the window to read the history of a host that sends payloads every `intervalMs`. */
export function stretchesOf(from: number, to: number, intervalMs: number): Stretches {
  const history = intervalMs > LONG_INTERVAL_MS ? 48 * HOUR_MS : DAY_MS;
  const window = { from, to, intervalMs };
  const peerStepMs = comparedStep(window);
  return {
    historyFrom: Math.floor((from - history) / MINUTE_MS) * MINUTE_MS,
    peersFrom: Math.floor(peersFrom(window) / MINUTE_MS) * MINUTE_MS,
    peerStepMs,
    snapshotsFrom: from - HOUR_MS,
  };
}
