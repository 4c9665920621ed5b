import type { Plan } from './plan.ts';
import { samplesOfPayload } from './plan.ts';

/** Returns the time at which a request is due, ms since the epoch; null if the load is as fast as answers arrive. */
export type Due = (connection: number, position: number, lastTime: number) => number | null;

/**
 * A live plan is due when its samples are taken. With `rate` (samples a second of all connections) every connection
 * sends at an even pace from `beganMs` on, connections shifted against each other; `from` is where each of them is then.
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
