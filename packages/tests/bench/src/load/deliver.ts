import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ConnectionLostError } from './connection.ts';

/** How long a request is retried after the load was stopped, ms; then its outcome counts as unknown. */
const LAST_ATTEMPTS_MS = 30_000;

export interface DeliveryOptions {
  connection: Connection;
  /** Returns the time at which the load was stopped, by `performance.now()`; undefined while the load runs. */
  stoppedAt(): number | undefined;
  /** Called for every response other than 200, and for lost connections with 0. */
  refused(status: number): void;
}

/**
 * Sends a body of `count` payloads until it is accepted; returns false if the load was stopped before. Throws if the
 * product refuses it for good, or accepts another number of payloads.
 */
export async function deliver(body: string, count: number, options: DeliveryOptions): Promise<boolean> {
  const { connection, stoppedAt, refused } = options;
  for (;;) {
    try {
      const answer = await connection.post('/api/v1/ingest', body);
      if (answer.status === 200) {
        const accepted = (JSON.parse(answer.body) as { events_accepted: number }).events_accepted;
        if (accepted !== count) throw new Error(`${count} payloads were sent and ${accepted} accepted`);
        return true;
      }
      refused(answer.status);
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 408)
        throw new Error(`${answer.status} ${answer.body}`);
      await sleep(Math.max(100, answer.retryAfter * 1000));
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      refused(0);
      await sleep(100);
    }
    const stopped = stoppedAt();
    if (stopped !== undefined && performance.now() - stopped > LAST_ATTEMPTS_MS) return false;
  }
}
