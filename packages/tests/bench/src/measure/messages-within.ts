/** Returns the max number of the given times (ms, ascending) that lie within any period of `withinMs`. */
export function messagesWithin(times: readonly number[], withinMs: number): number {
  let most = 0;
  let oldest = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[oldest] as number) >= withinMs) oldest += 1;
    most = Math.max(most, index - oldest + 1);
  }
  return most;
}
