import type { Logger } from '@tidewatch/runtime/logger';
import type { Metrics } from '@tidewatch/runtime/metrics';
import type { Sql, Transaction } from '@tidewatch/store/connection';
import { Lease } from '@tidewatch/store/leases/lease';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { findEndedMutes, haveEnded, noteEnds, type SilenceKey } from '@tidewatch/store/silences/ends';
import { silenceEvent } from '@tidewatch/store/silences/event';
import { unmuteAlerts } from './unmute-alerts.ts';

export interface SilenceEndsOptions {
  sql: Sql;
  /** Milliseconds since the epoch. */
  clock: () => number;
  newId: (prefix: 'evt') => string;
  /** Where people reach the product. */
  publicUrl: string | null;
  /** Names this process among those that could do this. */
  holder: string;
  metrics: Metrics;
  logger: Logger;
  /** Told after each transaction that left events in the outbox. */
  onEvents?: () => void;
  /** Default 1,000. */
  everyMs?: number;
}

export interface SilenceEnds {
  start(): void;
  stop(): Promise<void>;
}

const LEASE = 'silence-ends';
/** A silence of a whole fleet must not make one transaction long. */
const ALERTS_AT_ONCE = 500;

/**
 * Tells that silences have ended, and of the alerts that are muted no longer; one process at a time, by lease. What is
 * due stands in the store alone, and each transaction takes what it tells out of that, so that all is told once
 * whenever a process dies or is late.
 */
export function createSilenceEnds(options: SilenceEndsOptions): SilenceEnds {
  const { sql, clock, newId, holder, logger } = options;
  const unmuted = options.metrics.counter(
    'tidewatch_alerts_unmuted_total',
    'Active alerts whose silence has ended, by whether another silence mutes them.',
    ['outcome'],
  );
  const lease = new Lease({ sql, name: LEASE, holder });
  let stopped = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function inTransaction<R>(work: (tx: Transaction) => Promise<R>): Promise<R> {
    const result = (await sql.begin(async (tx) => {
      await lease.fence(tx);
      return work(tx);
    })) as R;
    options.onEvents?.();
    return result;
  }

  async function tellEnds(tx: Transaction, now: number): Promise<void> {
    const ended = await noteEnds(tx, now);
    const entries = ended.map((row) => ({
      organizationId: row.org_id,
      event: silenceEvent(newId('evt'), 'silence.ended', row, now),
    }));
    await appendEvents(tx, entries);
  }

  async function unmute(silence: SilenceKey, now: number): Promise<void> {
    for (let taken = ALERTS_AT_ONCE; taken === ALERTS_AT_ONCE && !stopped; ) {
      const parts = await inTransaction((tx) =>
        unmuteAlerts(tx, silence, {
          ...{ now, newEventId: () => newId('evt'), limit: ALERTS_AT_ONCE, publicUrl: options.publicUrl },
        }),
      );
      unmuted.inc({ outcome: 'unmuted' }, parts.unmuted);
      unmuted.inc({ outcome: 'still_muted' }, parts.moved);
      taken = parts.unmuted + parts.moved;
    }
  }

  async function round(): Promise<void> {
    if (!(await lease.held())) return;
    const now = clock();
    if (await haveEnded(sql, now)) await inTransaction((tx) => tellEnds(tx, now));
    for (const silence of await findEndedMutes(sql, now)) await unmute(silence, now);
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round()
        .catch((error) =>
          logger.warn({ err: error }, 'ends of silences could not be told; they are told later'),
        )
        .finally(schedule);
    }, options.everyMs ?? 1_000);
    timer.unref();
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      await lease.release().catch(() => undefined);
    },
  };
}
