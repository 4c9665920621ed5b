import type { Subject } from '@tidewatch/contracts/values/subject';
import { HOUR_MS, MINUTE_MS, type Tier } from '@tidewatch/domain/rollup/tier';

/** What an investigation asks of the store. Times in ms, `[from, to)`. */
export interface FactsRequest {
  organizationId: string;
  serviceId: string;
  /** As rules spell it; null where only a host was named. */
  metric: string | null;
  /** The alert that began it, and those that joined it: none of them is the past. */
  alertIds: readonly string[];
  question: string | null;
  from: number;
  to: number;
  /** From when on each tier holds everything. */
  retained: Readonly<Record<Tier, number>>;
  maxPeers: number;
  /** Ends the gathering between two statements, with its reason. */
  signal: AbortSignal;
}

/** The same, of what it turned out to be about. */
export interface FactsQuery extends FactsRequest {
  /** As `MetricFacts` spells it: without `container.` or `process.`. */
  metric: string | null;
  subject: Subject;
  /** From when on the level of a metric tells that it moved, ms. */
  troubledFrom: number;
}

/** The stretches that are read besides the window. */
export interface Stretches {
  historyFrom: number;
  /** A multiple of the step. */
  peersFrom: number;
  peerStepMs: number;
  /** Processes, containers and payloads. */
  snapshotsFrom: number;
}

/** Hosts that report less often need more time for as many samples. */
const SELDOM_MS = 2 * MINUTE_MS;
const PEERS_MS = 2 * HOUR_MS;
/** Of 120 steps one is begun before the first whole one, and one may be begun at the end. */
const MAX_PEER_STEPS = 118;

/** How far back of the window to read of a host that reports each `intervalMs`. */
export function stretchesOf(from: number, to: number, intervalMs: number): Stretches {
  const history = intervalMs > SELDOM_MS ? 48 * HOUR_MS : 24 * HOUR_MS;
  const peerStepMs = Math.ceil((to - from + PEERS_MS) / MAX_PEER_STEPS / MINUTE_MS) * MINUTE_MS;
  return {
    historyFrom: Math.floor((from - history) / MINUTE_MS) * MINUTE_MS,
    peersFrom: Math.floor((from - PEERS_MS) / peerStepMs) * peerStepMs,
    peerStepMs,
    snapshotsFrom: from - HOUR_MS,
  };
}
