import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@tidewatch/database/connection';
import type { Cut } from '@tidewatch/harness/cutting-proxy';
import type { FaultContext } from '../../fault-case.ts';
import type { Service } from '../../harness/service.ts';
import { within } from '../../harness/wait.ts';

/** The points of a transaction of a job at which its process or its server is killed. */
export const JOB_MOMENTS = {
  'with rows written, before its last statement': 'before_statement',
  'before the commit': 'before_commit',
  'while the database commits': 'during_commit',
  'after the commit, before it knew': 'after_commit',
} as const satisfies Record<string, Cut>;

export type JobMoment = keyof typeof JOB_MOMENTS;

/** The time until a job runs again after its process was killed, whose lease has to expire, ms. */
const STRUCK_WITHIN_MS = 60_000;

/** How long a job is held that is to run between two strikes only, ms. */
const HELD_MS = 120_000;

/**
 * Kills a writer at a given point of the next transaction with a statement, and starts it again. A job that is given runs from the moment
 * in which the strike is prepared until it is struck, and not before the next strike: its work would be done by then.
 */
export async function killWriterAt(
  { installation }: FaultContext,
  moment: JobMoment,
  of: RegExp,
  job?: LeasedJob,
): Promise<void> {
  const writer = installation.one('writer');
  const { sql } = installation.store;
  const struck = installation
    .proxy('writer')
    .cut(JOB_MOMENTS[moment], { of, strike: () => writer.signal('SIGKILL') });
  if (job !== undefined) await holdJob(sql, job, 0);
  await within(`the writer is killed ${moment}`, STRUCK_WITHIN_MS, struck);
  if (job !== undefined) await holdJob(sql, job, HELD_MS);
  await restarted(writer);
}

/** A job of the writer that one process at a time does. */
export type LeasedJob = 'seal' | 'close-days';

/** Takes the lease of a job from the writer that has it, for this long, ms. What it has begun may still end. */
export async function holdJob(sql: Sql, job: LeasedJob, forMs = HELD_MS): Promise<void> {
  await sql`
    insert into leases (name, holder, expires_at)
    values (${`writer-${job}`}, 'faults', clock_timestamp() + ${forMs}::float8 * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`;
}

/** Starts a service again once its killed process has ended. */
export async function restarted(service: Service): Promise<void> {
  while (service.isRunning()) await sleep(10);
  await service.start();
}
