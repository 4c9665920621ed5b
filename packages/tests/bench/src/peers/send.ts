import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import { hostsOf, type Plan, payloadsOf, timeOf } from '../load/plan.ts';
import { openSequence } from '../load/sequence.ts';
import { type Percentiles, summarise } from '../measure/percentile.ts';
import type { RunningSystem } from './system.ts';

/**
 * How far the times of samples on two connections may be apart, ms: Prometheus refuses samples that are more than an hour
 * older than its newest one.
 */
const MAX_APART_MS = 30 * 60_000;

/** What takes samples: a system that runs. */
export type SampleTarget = Pick<RunningSystem, 'http' | 'ingest' | 'encoder'>;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

export interface Sent {
  /** From the first request to the last response, seconds. */
  seconds: number;
  /** How late requests were sent after the newest sample in them, ms; zeros without a pace. */
  lag: Percentiles;
}

/**
 * Sends a whole plan to a system over the plan's connections: as fast as responses arrive, or, if the plan is paced, each
 * request at the time of its newest sample. Throws if the system refuses a request.
 */
export async function sendPlan(
  system: SampleTarget,
  plan: Plan,
  clock: Clock = { now: Date.now, sleep },
): Promise<Sent> {
  const began = performance.now();
  const lags: number[] = [];

  const connections = Array.from({ length: plan.connections }, (_, index) => ({
    sequence: openSequence(plan, index),
    encoder: system.encoder(plan),
    hosts: hostsOf(plan, index).length,
    position: 0,
  }));

  async function sendUntil(connection: (typeof connections)[number], tick: number): Promise<void> {
    const end = connection.hosts * tick;
    while (connection.position < end) {
      const count = Math.min(plan.payloadsPerRequest, end - connection.position);
      let newest = 0;
      for (let index = 0; index < count; index += 1) {
        const payload = connection.sequence.next();
        newest = payload.time;
        connection.encoder.add(payload);
      }
      const body = connection.encoder.take();
      if (plan.paced) {
        if (newest > clock.now()) await clock.sleep(newest - clock.now());
        lags.push(clock.now() - newest);
      }
      await system.http.post(system.ingest.path, body, system.ingest.headers);
      connection.position += count;
    }
  }

  const stretch = plan.paced ? plan.ticks : Math.ceil(MAX_APART_MS / plan.stepMs);
  for (let tick = 0; tick < plan.ticks; tick += stretch) {
    const until = Math.min(plan.ticks, tick + stretch);
    await Promise.all(connections.map((connection) => sendUntil(connection, until)));
  }
  return { seconds: (performance.now() - began) / 1_000, lag: summarise(lags) };
}

/** The ledger of a plan that was acknowledged as a whole. */
export function wholeLedger(plan: Plan): Ledger {
  const all = Array.from({ length: plan.connections }, (_, connection) => payloadsOf(plan, connection));
  return { acknowledged: all, sent: [...all] };
}

/** The time of the last sample of a plan, ms since the epoch. */
export function endOf(plan: Plan): number {
  return timeOf(plan, plan.hosts - 1, plan.ticks - 1);
}
