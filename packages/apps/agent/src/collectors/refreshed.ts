/**
 * Reads in the background, at most every `everyMs`, what is too slow or too expensive for each interval. The function that
 * it creates takes the time in ms of a clock that never goes back, and returns at once what was read last: undefined before
 * the first reading has ended. It throws the error of the last reading if that failed.
 */
export function refreshed<T>(everyMs: number, read: () => Promise<T>): (at: number) => T | undefined {
  let startedAt: number | undefined;
  let isReading = false;
  let last: { value: T } | { error: unknown } | undefined;

  async function refresh(): Promise<void> {
    isReading = true;
    try {
      last = { value: await read() };
    } catch (error) {
      last = { error };
    } finally {
      isReading = false;
    }
  }

  return (at) => {
    if (!isReading && (startedAt === undefined || at - startedAt >= everyMs)) {
      startedAt = at;
      void refresh();
    }
    if (last === undefined) return undefined;
    if ('error' in last) throw last.error;
    return last.value;
  };
}
