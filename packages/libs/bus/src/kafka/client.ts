/**
 * kafkajs, taken from here by the rest of the bus, with one method corrected. In 2.2.4 the queue of each connection looks
 * for requests that wait a thousand times a second once it has sent its first, though none does: with nothing throttled
 * the time until the next look is negative, which a timer takes for a millisecond. It cost some 4 % of a processor in
 * every process, and as many warnings as Node cares to print.
 */
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';

/** What is used here of a queue; the package has no types of it. */
interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;
// A request that has to wait asks for a look itself.
prototype.scheduleCheckPendingRequests = function scheduleWhileAnyWaits() {
  if (this.pending.length > 0) schedule.call(this);
};

export { kafkajs };
