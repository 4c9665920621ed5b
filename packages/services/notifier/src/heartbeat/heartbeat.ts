import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE_TYPE, type ProbeData } from '@tidewatch/contracts/events/probe';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { z } from 'zod';
import { PROBES_MISSED, Pulse } from './probe-watch.ts';

export interface HeartbeatOptions {
  /** What is called while everything works; undefined: nothing is. */
  url: string | undefined;
  clock: () => number;
  /** Whether the parts that no probe passes through are at work too. */
  others: () => Promise<boolean>;
  metrics: Metrics;
  logger: Logger;
  /** Between two calls, ms. */
  everyMs: number;
  /** Between two probes, ms. */
  probeEveryMs: number;
  /** How often it is looked whether a call is due, ms. Default 1,000. */
  lookEveryMs?: number;
}

export interface Heartbeat {
  /** An event that arrived; only probes count. */
  take(event: unknown): void;
  start(): void;
  stop(): Promise<void>;
}

const CALL_WITHIN_MS = 10_000;

const probeSchema = z.object({
  type: z.literal(PROBE_TYPE),
  data: z.object({
    partitions: z.int().positive(),
    heartbeats: z.record(z.string().regex(/^\d+$/), z.number()),
  }) satisfies z.ZodType<ProbeData>,
});

/** Calls an outside watcher in regular intervals, only while probes come all the way from the gateways. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { url, clock, others, logger, everyMs, lookEveryMs = 1_000 } = options;
  const calls = options.metrics.counter(
    'tidewatch_heartbeat_calls_total',
    'Calls of the outside watcher by outcome: answered, failed, or withheld since not everything works.',
    ['outcome'],
  );
  const staleMs = PROBES_MISSED * options.probeEveryMs;
  const pulse = new Pulse(staleMs);
  let calledAt = Number.NEGATIVE_INFINITY;
  let wasWithheld = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function call(target: string): Promise<void> {
    try {
      const response = await fetch(target, {
        redirect: 'manual',
        signal: AbortSignal.timeout(CALL_WITHIN_MS),
      });
      await response.body?.cancel();
      calls.inc({ outcome: response.ok ? 'answered' : 'failed' });
      if (!response.ok) logger.warn({ status: response.status }, 'the outside watcher refused the heartbeat');
    } catch (error) {
      calls.inc({ outcome: 'failed' });
      // Its address may carry a secret, which the error's cause would tell.
      logger.warn({ reason: (error as Error).name }, 'the outside watcher cannot be reached');
    }
  }

  async function look(target: string): Promise<void> {
    // A database that does not answer must not hold up the look. Asked each time: who knows only where something stands has to see it move.
    const areAtWork = await Promise.race([
      others().catch(() => false),
      sleep(staleMs, false, { ref: false }),
    ]);
    const now = clock();
    if (now - calledAt < everyMs) return;
    if (!pulse.isThrough(now) || !areAtWork) {
      if (!wasWithheld) calls.inc({ outcome: 'withheld' });
      wasWithheld = true;
      return;
    }
    wasWithheld = false;
    calledAt = now;
    await call(target);
  }

  function schedule(target: string): void {
    timer = setTimeout(() => {
      looking = look(target).finally(() => {
        if (timer !== undefined) schedule(target);
      });
    }, lookEveryMs);
    timer.unref();
  }

  return {
    take(event) {
      if ((event as { type?: unknown } | null)?.type !== PROBE_TYPE) return;
      const probe = probeSchema.safeParse(event);
      if (probe.success) pulse.take(probe.data.data, clock());
    },
    start() {
      if (url !== undefined) schedule(url);
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await looking;
    },
  };
}
