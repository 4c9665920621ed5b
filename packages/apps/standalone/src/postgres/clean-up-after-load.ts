import type { Sql } from '@tidewatch/database/connection';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { LoadEnd } from './load-end.ts';
import { type SealedState, SealsEnd } from './seals-end.ts';

export interface CleanUpOptions {
  sql: Sql;
  asAdmin: (work: (sql: Sql) => Promise<unknown>) => Promise<unknown>;
  logger: Logger;
  /** The interval of reading the length of the log, ms. Default 3,000. */
  lookEveryMs?: number;
}

/**
 * Does once a load has ended what PostgreSQL would do later. A checkpoint spares a start after a crash from redoing the load, which after an
 * alert storm is most of what it takes; the logs that seals deleted from are vacuumed. Returns a function that stops this; it waits for
 * neither, since a shutdown writes a checkpoint itself.
 */
export function cleanUpAfterLoads({ sql, asAdmin, logger, lookEveryMs = 3_000 }: CleanUpOptions): () => void {
  const load = new LoadEnd();
  const seals = new SealsEnd();
  let looking = false;

  async function look(): Promise<void> {
    const [log] = await sql<SealedState[]>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes,
        coalesce(pg_stat_get_dead_tuples(to_regclass('tidewatch.sample_log')), 0)::float8
          + coalesce(pg_stat_get_dead_tuples(to_regclass('tidewatch.snapshot_log')), 0) as "deadRows"
      from pg_control_checkpoint()`;
    if (log === undefined) return;
    const now = performance.now();
    if (seals.observe(log, now)) {
      await asAdmin((admin) => admin`vacuum tidewatch.sample_log, tidewatch.snapshot_log`);
      logger.debug({ rows: log.deadRows }, 'the logs were vacuumed after seals');
    }
    if (!load.observe(log.bytes, now)) return;
    await asAdmin((admin) => admin`checkpoint`);
    logger.debug({ bytes: log.bytes }, 'a checkpoint was written after a load');
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) =>
        logger.debug({ err: error }, 'a vacuum or checkpoint after a load was not completed'),
      )
      .finally(() => {
        looking = false;
      });
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
