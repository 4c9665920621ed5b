/** The mean rate and the lowest rate over a period of a run. */
export interface SustainedRate {
  /** Mean over all whole seconds. */
  mean: number;
  /** The lowest rate over any period of `seconds` within the run; the mean if the run is shorter. */
  least: number;
  seconds: number;
}

/** Computes rates from counts per second. The last second is incomplete and does not count unless it is the only one. */
export function sustainedRate(perSecond: readonly number[], seconds: number): SustainedRate {
  const whole = perSecond.length > 1 ? perSecond.slice(0, -1) : perSecond;
  const mean = whole.reduce((sum, count) => sum + count, 0) / Math.max(1, whole.length);
  let least = Number.POSITIVE_INFINITY;
  for (let from = 0; from + seconds <= whole.length; from += 1) {
    const sum = whole.slice(from, from + seconds).reduce((total, count) => total + count, 0);
    least = Math.min(least, sum / seconds);
  }
  return { mean, least: Number.isFinite(least) ? least : mean, seconds };
}
