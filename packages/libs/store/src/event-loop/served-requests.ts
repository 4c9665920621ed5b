/** For so long after a request began or ended its client is likely to wait for an answer, or to send the next one soon, ms. */
const ACTIVE_MS = 250;

let lastServedAt = Number.NEGATIVE_INFINITY;

/** Must be called when a request that a client waits for begins, and when it has ended. */
export function noteServedRequest(): void {
  lastServedAt = performance.now();
}

/** Whether this process has just served requests, so that background work should leave the event loop to them. */
export function servesRequests(): boolean {
  return performance.now() - lastServedAt < ACTIVE_MS;
}
