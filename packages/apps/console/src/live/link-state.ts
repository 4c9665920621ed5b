/** The state of the stream of events. Times are those of the browser's clock, ms since the epoch. */
export type LinkState =
  /** Not open since the page was loaded. */
  | { phase: 'connecting'; startedAt: number; failures: number; retryAt: number | null }
  /** `pastUntil` is set while events from before the opening may still arrive. */
  | { phase: 'open'; openedAt: number; lastByteAt: number; pastUntil: number | null }
  /** `since` is the time of the last byte or of the cut; `failures` counts attempts since then. */
  | { phase: 'lost'; since: number; failures: number; retryAt: number | null }
  /** The server refuses the stream: the session has ended, or may not read. */
  | { phase: 'refused'; status: number; since: number };

export type LinkInput =
  | { kind: 'start' }
  | { kind: 'open' }
  | { kind: 'bytes' }
  | { kind: 'event' }
  | { kind: 'lost'; waitMs: number }
  | { kind: 'refused'; status: number };

/** The quiet after the last past event that ends catching up. */
export const CATCH_UP_QUIET_MS = 400;

/** A connection counts as cut when nothing was received for this time; the server writes every 15 s. */
export const SILENCE_MS = 20_000;

/**
 *   connecting ──open──▶ open ◀──open── lost          refused ──start──▶ connecting
 *        │                │  ──lost──▶   │ ──lost──▶ lost (failures + 1)
 *        └──── refused ◀──┴──── 401 ─────┘
 */
export function linkAfter(state: LinkState, input: LinkInput, now: number): LinkState {
  switch (input.kind) {
    case 'start':
      return state.phase === 'refused'
        ? { phase: 'connecting', startedAt: now, failures: 0, retryAt: null }
        : state;
    case 'open': {
      const pastUntil = state.phase === 'connecting' ? null : now + CATCH_UP_QUIET_MS;
      return { phase: 'open', openedAt: now, lastByteAt: now, pastUntil };
    }
    case 'bytes':
      return state.phase === 'open' ? { ...state, lastByteAt: now } : state;
    case 'event':
      return state.phase === 'open' && state.pastUntil !== null
        ? { ...state, pastUntil: now + CATCH_UP_QUIET_MS }
        : state;
    case 'lost':
      return lost(state, now, now + input.waitMs);
    case 'refused':
      return { phase: 'refused', status: input.status, since: lastKnownAt(state) };
  }
}

function lost(state: LinkState, now: number, retryAt: number): LinkState {
  if (state.phase === 'connecting') return { ...state, failures: state.failures + 1, retryAt };
  if (state.phase === 'lost') return { ...state, failures: state.failures + 1, retryAt };
  if (state.phase === 'refused') return state;
  // After a silence, what is known is as old as the last byte; after a cut it was current until now.
  const since = now - state.lastByteAt >= SILENCE_MS - 1_000 ? state.lastByteAt : now;
  return { phase: 'lost', since, failures: 0, retryAt };
}

/** The state once time has passed: catching up ends without an event. */
export function linkAt(state: LinkState, now: number): LinkState {
  return state.phase === 'open' && state.pastUntil !== null && now >= state.pastUntil
    ? { ...state, pastUntil: null }
    : state;
}

function lastKnownAt(state: LinkState): number {
  if (state.phase === 'open') return state.lastByteAt;
  return state.phase === 'connecting' ? state.startedAt : state.since;
}
