import { CHANNEL_KIND_FACTS, type ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The number of consecutive failures after which no attempts are made to a destination for some time. */
export const FAILURES_TO_OPEN = 5;
/** The pause after too many failures, ms; doubles with each further failure up to one minute. */
const OPEN = { minMs: 3_000, maxMs: MINUTE_MS };
/** The time limit for the response to a probe message to a failing destination. */
const PROBE_MS = 15_000;

/**
 * The delivery state of a destination: token bucket, circuit breaker, and the pause that the destination asked for. Times
 * are ms.
 */
export interface Pace {
  tokens: number;
  refilledAt: number;
  /** The number of consecutive temporary failures. */
  failures: number;
  openUntil: number | null;
  /** No attempt is made before this time, since the destination asked for a pause (`Retry-After`). */
  pausedUntil: number | null;
  /** When the destination last answered, ms; null if it never has. */
  answeredAt: number | null;
}

export function newPace(kind: ChannelKind, now: number): Pace {
  return {
    tokens: CHANNEL_KIND_FACTS[kind].pace.burst,
    refilledAt: now,
    failures: 0,
    openUntil: null,
    pausedUntil: null,
    answeredAt: null,
  };
}

/** Admits up to `wanted` messages, and returns their number and the pace after they are sent. */
export function admit(
  pace: Pace,
  kind: ChannelKind,
  now: number,
  wanted: number,
): { count: number; pace: Pace } {
  const filled = refill(pace, kind, now);
  if (waitOf(filled, kind, now) > 0) return { count: 0, pace: filled };
  const probing = filled.failures >= FAILURES_TO_OPEN;
  const count = Math.min(Math.floor(filled.tokens), wanted, probing ? 1 : Number.POSITIVE_INFINITY);
  const openUntil = probing && count > 0 ? now + PROBE_MS : filled.openUntil;
  return { count, pace: { ...filled, tokens: filled.tokens - count, openUntil } };
}

/** The time until the next attempt to a destination may begin, ms. */
export function waitOf(pace: Pace, kind: ChannelKind, now: number): number {
  const { tokens } = refill(pace, kind, now);
  const forToken =
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / CHANNEL_KIND_FACTS[kind].pace.perSecond) * 1_000);
  return Math.max(0, forToken, (pace.openUntil ?? now) - now, (pace.pausedUntil ?? now) - now);
}

/** The state after a response, even a permanent refusal, because it shows that the destination is reachable. */
export function answered(pace: Pace, now: number): Pace {
  return { ...pace, failures: 0, openUntil: null, answeredAt: now };
}

/** The state after a temporary failure; `retryAfterMs` is the pause that the destination asked for, or null. */
export function failed(pace: Pace, now: number, retryAfterMs: number | null): Pace {
  const failures = pace.failures + 1;
  const beyond = failures - FAILURES_TO_OPEN;
  const openFor = backoffMs(Math.max(beyond, 0), OPEN, 1);
  return {
    ...pace,
    failures,
    openUntil: beyond >= 0 ? now + openFor : null,
    pausedUntil:
      retryAfterMs === null ? pace.pausedUntil : Math.max(pace.pausedUntil ?? 0, now + retryAfterMs),
  };
}

function refill(pace: Pace, kind: ChannelKind, now: number): Pace {
  const { perSecond, burst } = CHANNEL_KIND_FACTS[kind].pace;
  const seconds = Math.max(0, now - pace.refilledAt) / 1_000;
  return {
    ...pace,
    tokens: Math.min(burst, pace.tokens + seconds * perSecond),
    refilledAt: Math.max(now, pace.refilledAt),
  };
}
