/**
 * kafkajs, taken from here by the rest of the bus, with two methods corrected. In 2.2.4 the queue of each connection looks
 * for requests that wait a thousand times a second once it has sent its first, though none does: with nothing throttled
 * the time until the next look is negative, which a timer takes for a millisecond. It cost some 4 % of a processor in
 * every process, and as many warnings as Node cares to print. And it looks ten times a second whether an answer is
 * overdue, which has ten seconds: once is enough, and does not wake a process at rest.
 */
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';

/** What is used here of a queue; the package has no types of it. */
interface RequestQueue {
  pending: unknown[];
  /** Requests that were sent and not answered. */
  inflight: Map<number, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>;
  requestTimeout: number;
  enforceRequestTimeout: boolean;
  requestTimeoutIntervalId?: NodeJS.Timeout;
  isConnected(): boolean;
  destroy(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
}

const OVERDUE_EVERY_MS = 1_000;

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;
// A request that has to wait asks for a look itself.
prototype.scheduleCheckPendingRequests = function scheduleWhileAnyWaits() {
  if (this.pending.length > 0) schedule.call(this);
};

prototype.scheduleRequestTimeoutCheck = function lookForOverdue() {
  if (!this.enforceRequestTimeout) return;
  this.destroy();
  this.requestTimeoutIntervalId = setInterval(
    () => {
      const now = Date.now();
      for (const request of this.inflight.values())
        if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    },
    Math.min(this.requestTimeout, OVERDUE_EVERY_MS),
  );
};

export { kafkajs };
