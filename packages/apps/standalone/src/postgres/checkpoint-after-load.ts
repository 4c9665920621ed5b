import type { Sql } from '@tidewatch/database/connection';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { LoadEnd } from './load-end.ts';

export interface CheckpointSource {
  sql: Sql;
  asAdmin: (work: (sql: Sql) => Promise<unknown>) => Promise<unknown>;
  logger: Logger;
  /** The interval of reading the length of the log, ms. Default 3,000. */
  lookEveryMs?: number;
}

/**
 * Writes a checkpoint once a load has ended, so that the start after a crash need not redo it: after an alert storm that is most of what
 * a start takes. Returns a function that stops this; it does not wait for a checkpoint, which a shutdown writes itself.
 */
export function checkpointAfterLoads({
  sql,
  asAdmin,
  logger,
  lookEveryMs = 3_000,
}: CheckpointSource): () => void {
  const load = new LoadEnd();
  let looking = false;

  async function look(): Promise<void> {
    const [log] = await sql<{ bytes: number }[]>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;
    if (log === undefined || !load.observe(log.bytes, performance.now())) return;
    await asAdmin((admin) => admin`checkpoint`);
    logger.debug({ bytes: log.bytes }, 'a checkpoint was written after a load');
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => logger.debug({ err: error }, 'a checkpoint after a load was not completed'))
      .finally(() => {
        looking = false;
      });
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
