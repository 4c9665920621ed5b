import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Tier } from '@tidewatch/domain/rollup/tier';

/** The parameters of what an investigation reads from the store. Times are in ms, the range is `[from, to)`. */
export interface FactsRequest {
  organizationId: string;
  serviceId: string;
  /** The metric as named in rules; null if only a host was named. */
  metric: string | null;
  /** The alert that opened it, and those that joined it: they do not count as earlier alerts. */
  alertIds: readonly string[];
  question: string | null;
  from: number;
  to: number;
  /** The time from which on each tier has all rows. */
  retained: Readonly<Record<Tier, number>>;
  maxPeers: number;
  /** Aborts the gathering between two statements, with its reason. */
  signal: AbortSignal;
}

/** The request with the subject and metric that were found. */
export interface FactsQuery extends FactsRequest {
  /** The metric as named in `MetricFacts`: without `container.` or `process.`. */
  metric: string | null;
  subject: Subject;
  /** The time from which on the level of a metric is compared with the usual one, ms. */
  troubledFrom: number;
}

/** The time ranges that are read besides the window. */
export interface Stretches {
  historyFrom: number;
  /** A multiple of the step. */
  peersFrom: number;
  peerStepMs: number;
  /** The start for processes, containers and payload times. */
  snapshotsFrom: number;
}

/** Hosts with a longer interval need a longer history for as many samples. */
const LONG_INTERVAL_MS = 2 * MINUTE_MS;
const PEERS_MS = 2 * HOUR_MS;
/** Of 120 steps, one is partial at the start and one may be partial at the end. */
const MAX_PEER_STEPS = 118;

/** How far back before the window to read for a host that sends payloads each `intervalMs`. */
export function stretchesOf(from: number, to: number, intervalMs: number): Stretches {
  const history = intervalMs > LONG_INTERVAL_MS ? 48 * HOUR_MS : DAY_MS;
  const peerStepMs = Math.ceil((to - from + PEERS_MS) / MAX_PEER_STEPS / MINUTE_MS) * MINUTE_MS;
  return {
    historyFrom: Math.floor((from - history) / MINUTE_MS) * MINUTE_MS,
    peersFrom: Math.floor((from - PEERS_MS) / peerStepMs) * peerStepMs,
    peerStepMs,
    snapshotsFrom: from - HOUR_MS,
  };
}
