import type { Plan } from './plan.ts';
import { samplesOfPayload } from './plan.ts';

/** Returns the time at which a request is due, ms since the epoch; null if the load has no pace. */
export type Due = (connection: number, position: number, lastTime: number) => number | null;

/**
 * Creates the pace of a load. Requests of a live plan are due at the times of their samples. With `rate` (samples a second
 * of all connections), each connection sends evenly from `beganMs` on, from its position in `from`, and connections are
 * staggered.
 */
export function createPace(
  plan: Plan,
  rate: number | null,
  beganMs: number,
  from: readonly number[] = [],
): Due {
  if (plan.paced) return (_connection, _position, lastTime) => lastTime;
  if (rate === null) return () => null;
  const payloadMs = (1000 * samplesOfPayload(plan) * plan.connections) / rate;
  const requestMs = payloadMs * plan.payloadsPerRequest;
  return (connection, position) =>
    beganMs + (position - (from[connection] ?? 0)) * payloadMs + (connection / plan.connections) * requestMs;
}
