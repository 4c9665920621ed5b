/** How long runs may follow each other without a rest, ms. */
const BUSY_MS = 10_000;
/** The rest after a run, as a multiple of what the run took. */
const REST_PER_RUN = 3;
/** The max rest, ms; most of a longer run was a wait for a model. */
const MAX_REST_MS = 1_000;

export interface Pace {
  /** Notes a run that took so long, ms. Returns how long to rest after it, ms; 0 for not at all. */
  restAfter(tookMs: number): number;
  /** Notes that nothing waits in the queue. */
  idle(): void;
}

/**
 * How runs follow each other where they share their machine with ingest, evaluation and the API. The first ten seconds of a
 * busy queue have no rest, so that the alerts that began an incident are explained at once. A storm of alerts that goes on for
 * longer gets a quarter of the time.
 *
 * @param now The monotonic time, ms.
 */
export function createPace(now: () => number): Pace {
  let busySince: number | null = null;
  return {
    restAfter(tookMs) {
      const ended = now();
      busySince ??= ended - tookMs;
      return ended - busySince < BUSY_MS ? 0 : Math.min(REST_PER_RUN * tookMs, MAX_REST_MS);
    },
    idle() {
      busySince = null;
    },
  };
}

/** For an investigator with a machine of its own: no rests. */
export const WITHOUT_RESTS: Pace = { restAfter: () => 0, idle: () => undefined };
