import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE_TYPE, type ProbeData } from '@tidewatch/contracts/events/probe';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { z } from 'zod';
import { MAX_MISSED_PROBES, ProbeWatch } from './probe-watch.ts';

export interface HeartbeatOptions extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger'> {
  /** The URL that is called while everything works; undefined to call none. */
  url: string | undefined;
  /** Returns whether the parts through which no probe passes work too. */
  areOthersWorking: () => Promise<boolean>;
  /** The interval between two calls, ms. */
  everyMs: number;
  /** The interval between two probes, ms. */
  probeEveryMs: number;
  /** How often to check whether a call is due, ms. Default 1,000. */
  checkEveryMs?: number;
}

export interface Heartbeat {
  /** Takes an event that arrived; ignores all but probes. */
  take(event: unknown): void;
  start(): void;
  stop(): Promise<void>;
}

const CALL_TIMEOUT_MS = 10_000;

const probeSchema = z.object({
  type: z.literal(PROBE_TYPE),
  data: z.object({
    partitions: z.int().positive(),
    heartbeats: z.record(z.string().regex(/^\d+$/), z.number()),
  }) satisfies z.ZodType<ProbeData>,
});

/** Calls an outside watcher at regular intervals, only while probes arrive from the gateways. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { url, clock, areOthersWorking, logger, everyMs, checkEveryMs = 1_000 } = options;
  const calls = options.metrics.counter(
    'tidewatch_heartbeat_calls_total',
    'Calls of the outside watcher by outcome: answered, failed, or withheld because something does not work.',
    ['outcome'],
  );
  const staleMs = MAX_MISSED_PROBES * options.probeEveryMs;
  const probes = new ProbeWatch(staleMs);
  let calledAt = Number.NEGATIVE_INFINITY;
  let wasWithheld = false;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();

  async function call(target: string): Promise<void> {
    try {
      const response = await fetch(target, {
        redirect: 'manual',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      await response.body?.cancel();
      calls.inc({ outcome: response.ok ? 'answered' : 'failed' });
      if (!response.ok)
        logger.warn(
          { status: response.status },
          'the outside watcher answered the heartbeat with an error; retrying',
        );
    } catch (error) {
      calls.inc({ outcome: 'failed' });
      // The error is logged without its cause, which contains the URL that may hold a secret.
      logger.warn(
        { reason: (error as Error).name },
        'the outside watcher cannot be reached for the heartbeat; retrying',
      );
    }
  }

  async function check(target: string): Promise<void> {
    // Limits the time of the check, since a database may hang. Checked at each call, since progress shows only between two
    // calls.
    const areWorking = await Promise.race([
      areOthersWorking().catch(() => false),
      sleep(staleMs, false, { ref: false }),
    ]);
    const now = clock();
    if (now - calledAt < everyMs) return;
    if (!probes.isThrough(now) || !areWorking) {
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
      checking = check(target).finally(() => {
        if (timer !== undefined) schedule(target);
      });
    }, checkEveryMs);
    timer.unref();
  }

  return {
    take(event) {
      if ((event as { type?: unknown } | null)?.type !== PROBE_TYPE) return;
      const probe = probeSchema.safeParse(event);
      if (probe.success) probes.take(probe.data.data, clock());
    },
    start() {
      if (url !== undefined) schedule(url);
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await checking;
    },
  };
}
