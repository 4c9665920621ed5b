/** When what only the start needed is released, ms: after the first samples were sent. */
const FIRST_RELEASE_MS = 15_000;
const RELEASE_INTERVAL_MS = 600_000;

/**
 * Collects garbage thoroughly after the start and every ten minutes: a process that allocates so little would otherwise keep for
 * hours what it no longer uses. Does nothing unless Node runs with --expose-gc, as in the executable.
 */
export function releaseMemoryRegularly(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const release = () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setTimeout(release, FIRST_RELEASE_MS).unref();
  setInterval(release, RELEASE_INTERVAL_MS).unref();
}
