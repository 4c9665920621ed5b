import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import './client.ts';

/** The request queue of a connection, which is not part of kafkajs' types. */
const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue');

function openQueue(more: object = {}) {
  const quiet = { debug: () => {} };
  const options = {
    maxInFlightRequests: 1,
    requestTimeout: 1_000,
    clientId: 'test',
    broker: 'none',
    logger: quiet,
    ...more,
  };
  return new RequestQueue(options);
}

/** A request for the queue of a connection; calls `sent` when it is sent. */
function request(correlationId: number, sent: () => void) {
  const entry = { correlationId, resolve: () => {}, reject: () => {} };
  return { entry, expectResponse: true, sendRequest: sent };
}

test('an empty request queue of a Kafka connection sets no timer', () => {
  const queue = openQueue();
  queue.push(request(1, () => {}));
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(queue.throttleCheckTimeoutId).toBe(null);
});

test('a Kafka request that the broker throttles is sent when the throttle time ends', async () => {
  const queue = openQueue();
  let sent = false;
  queue.maybeThrottle(30);
  queue.push(
    request(1, () => {
      sent = true;
    }),
  );
  expect(sent).toBe(false);
  while (!sent) await sleep(5);
  expect(queue.pending).toEqual([]);
  expect(queue.throttleCheckTimeoutId).toBe(null);
});

test('a Kafka request beyond the limit of requests in flight is sent once one of them is answered', () => {
  const queue = openQueue();
  const sent: number[] = [];
  for (const id of [1, 2]) queue.push(request(id, () => sent.push(id)));
  expect(sent).toEqual([1]);
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(sent).toEqual([1, 2]);
  queue.destroy();
});

test('a Kafka request without an answer fails with a timeout, and the check for timeouts ends with the connection', async () => {
  let connected = true;
  const queue = openQueue({
    requestTimeout: 20,
    enforceRequestTimeout: true,
    isConnected: () => connected,
  });
  queue.scheduleRequestTimeoutCheck();
  const failed = new Promise((resolve) => {
    const asked = request(1, () => {});
    queue.push({ ...asked, entry: { ...asked.entry, reject: resolve } });
  });
  expect(await failed).toMatchObject({ name: 'KafkaJSRequestTimeoutError' });
  connected = false;
  await expect.poll(() => queue.requestTimeoutIntervalId._destroyed).toBe(true);
});
