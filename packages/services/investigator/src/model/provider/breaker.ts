/** Failures in a row after which a model is left alone for a while, and for how long, ms. */
const FAILURES = 5;
const PAUSE_MS = 60_000;

/** Keeps a hundred investigations from waiting, one after the other, for a model that does not answer. */
export interface Breaker {
  /** Whether the model is left alone now. */
  isOpen(): boolean;
  answered(): void;
  failed(): void;
}

/** Of one process. After the pause one failure more opens it again. */
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
      if (failures >= FAILURES) openUntil = clock() + PAUSE_MS;
    },
  };
}
