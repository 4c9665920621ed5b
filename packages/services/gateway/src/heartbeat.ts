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
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  /** When the oldest request that is not published yet was received, ms; undefined where every request is published. */
  oldestUnpublished(): number | undefined;
}

/**
 * Publishes each second up to which time the topic of samples is complete, except while ingest is closed. Returns a
 * function that stops it.
 */
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
      // Ignored, because an unavailable bus refuses payloads too and logs that itself.
      .catch(() => undefined)
      .finally(() => {
        sending = false;
      });
  }, EVERY_MS);
  return () => clearInterval(timer);
}
