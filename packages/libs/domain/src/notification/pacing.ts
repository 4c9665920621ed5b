import { CHANNEL_KIND_FACTS, type ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** Failures in a row after which a destination is left alone. */
export const FAILURES_TO_OPEN = 5;
/** For how long, ms: doubled at each failure from there on, so that one that is back is seen within a minute. */
const OPEN = { minMs: 3_000, maxMs: MINUTE_MS };
/** The one message that finds out whether it is back has been answered by then. */
const PROBE_MS = 15_000;

/** How a destination is faring: token bucket, circuit breaker, and what it asked for itself. Times are ms. */
export interface Pace {
  tokens: number;
  refilledAt: number;
  /** In a row, of those that may pass. */
  failures: number;
  openUntil: number | null;
  /** No attempt is made before this time, since the destination asked for a pause (`Retry-After`). */
  pausedUntil: number | null;
  /** When it answered last; null until it has. */
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

/** How many messages may be begun now, at most `wanted`, and the pace once they are. */
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

/** For how long nothing may be begun, ms. */
export function waitOf(pace: Pace, kind: ChannelKind, now: number): number {
  const { tokens } = refill(pace, kind, now);
  const forToken =
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / CHANNEL_KIND_FACTS[kind].pace.perSecond) * 1_000);
  return Math.max(0, forToken, (pace.openUntil ?? now) - now, (pace.pausedUntil ?? now) - now);
}

/** After a response, even a permanent refusal: the destination is reachable. */
export function answered(pace: Pace, now: number): Pace {
  return { ...pace, failures: 0, openUntil: null, answeredAt: now };
}

/** After a failure that may pass; `retryAfterMs` is what the destination asked for, null where it did not. */
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
