import type { Bus } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Heartbeat } from '@tidewatch/contracts/ingest/sample';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { StallMeter } from './stall-meter.ts';

const EVERY_MS = 1_000;

export interface HeartbeatOptions {
  bus: Bus<never>;
  admission: Admission;
  stalls: StallMeter;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Receipt of the oldest request that is not published yet, ms; undefined where there is none. */
  oldestUnpublished(): number | undefined;
}

/** Says each second how far the topic is complete; stands still while ingest is closed. Answers how to stop it. */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const { bus, admission, stalls, clock, oldestUnpublished } = options;
  let sending = false;
  const timer = setInterval(() => {
    stalls.tick();
    if (sending || admission.closure() !== null) return;
    sending = true;
    const now = clock();
    const value: Heartbeat = { kind: 'heartbeat', at: Math.min(now, oldestUnpublished() ?? now) };
    bus
      .publish(TOPICS.samples, [{ key: 'heartbeat', value }])
      // A bus that is away refuses payloads too and says so on its own; the clock just stands still.
      .catch(() => undefined)
      .finally(() => {
        sending = false;
      });
  }, EVERY_MS);
  return () => clearInterval(timer);
}
