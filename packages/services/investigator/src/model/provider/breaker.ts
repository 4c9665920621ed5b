import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** Consecutive failures that open the circuit breaker. */
const MAX_FAILURES = 5;
const PAUSE_MS = MINUTE_MS;

/** A circuit breaker for calls of the model, so that investigations do not all wait for a model that does not answer. */
export interface Breaker {
  /** Whether the model must not be called now. */
  isOpen(): boolean;
  answered(): void;
  failed(): void;
}

/** Creates the circuit breaker of one process. After the pause, a single failure opens it again. */
export function createBreaker(clock: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    isOpen: () => clock() < openUntil,
    answered() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= MAX_FAILURES) openUntil = clock() + PAUSE_MS;
    },
  };
}
