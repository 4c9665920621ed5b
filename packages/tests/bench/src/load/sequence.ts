import { hostsOf, type Plan, timeOf } from './plan.ts';
import { createWalk } from './walk.ts';

/** One payload of a plan. The generator reuses the object and its array for the next payload. */
export interface PlannedPayload {
  host: number;
  tick: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** Hundredths. */
  values: Int32Array;
}

/** The payloads of one connection in the order in which generator, yardstick and peers use them. */
export interface Sequence {
  /** The number of all payloads. */
  readonly total: number;
  /** The next payload; must not be called more than `total` times. */
  next(): PlannedPayload;
}

export function openSequence(plan: Plan, connection: number): Sequence {
  const hosts = hostsOf(plan, connection);
  const walks = hosts.map((host) => createWalk(plan, host));
  const payload: PlannedPayload = { host: 0, tick: 0, time: 0, values: new Int32Array() };
  let at = 0;
  let tick = 0;
  return {
    total: hosts.length * plan.ticks,
    next() {
      const host = hosts[at];
      const walk = walks[at];
      if (host === undefined || walk === undefined || tick >= plan.ticks)
        throw new Error(`connection ${connection} has no payload after tick ${tick}`);
      walk.next();
      payload.host = host;
      payload.tick = tick;
      payload.time = timeOf(plan, host, tick);
      payload.values = walk.values;
      at += 1;
      if (at === hosts.length) {
        at = 0;
        tick += 1;
      }
      return payload;
    },
  };
}
