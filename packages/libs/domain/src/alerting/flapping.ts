/** So many flaps within `FLAPPING_WITHIN_MS` are flapping. */
export const FLAPS = 3;
/** Within this time they count; without one for so long it is calm again. */
export const FLAPPING_WITHIN_MS = 3_600_000;

/**
 * The last flaps of one (rule, service, subject), times of samples in ms, oldest first: each time that it breached again
 * while it recovered, and each time that it fired and resolved.
 */
export interface FlapLog {
  readonly times: readonly number[];
  /** Whether it was told that it flaps, and it has not been calm since. */
  readonly flapping: boolean;
}

/** Whether a stream that changed last at `changedAt` is calm at `at`, ms: for judging and for telling alike. */
export function isCalm(changedAt: number, at: number): boolean {
  return at - changedAt >= FLAPPING_WITHIN_MS;
}

/** The log with one more flap at `at`; `begins` is true where this is the one that makes it flapping. */
export function noteFlap(log: FlapLog | null, at: number): { log: FlapLog; begins: boolean } {
  const last = log?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const within = (log?.times ?? []).filter((time) => !isCalm(time, at));
  const times = [...within, at].slice(-FLAPS);
  const was = !isCalm(last, at) && (log?.flapping ?? false);
  const flapping = was || times.length >= FLAPS;
  return { log: { times, flapping }, begins: flapping && !was };
}
