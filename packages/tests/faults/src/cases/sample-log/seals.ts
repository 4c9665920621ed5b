import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { FaultCase, FaultContext } from '../../fault-case.ts';
import { send, snapshotAt } from '../../harness/payloads.ts';
import { waitFor, within } from '../../harness/wait.ts';
import { SEAL_NOTED, SNAPSHOTS_SEALED } from '../database/statements.ts';
import { JOB_MOMENTS, type JobMoment, killWriterAt, restarted } from './strikes.ts';

const MOMENTS = Object.keys(JOB_MOMENTS) as JobMoment[];
const HOST = 'with-processes';
const SNAPSHOTS = 6;

/** Sends payloads with processes that differ; returns the time of each and the id of its process. */
async function sendSnapshots({ installation }: FaultContext): Promise<Map<number, number>> {
  const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
  const sent = new Map<number, number>();
  for (let index = 0; index < SNAPSHOTS; index += 1) {
    const time = start + index * 7 * MINUTE_MS;
    const processes = [{ name: 'worker', pid: 100 + index }];
    await send(installation, [{ host: HOST, time, metrics: { cpu_percent: index }, processes }]);
    sent.set(time, 100 + index);
  }
  return sent;
}

/** The writer is killed in each part of seals, of samples and of snapshots, which a later writer repeats. */
export const killedInSeal: FaultCase = {
  id: '22a',
  fault: 'writer killed (kill -9) at named moments of seals of the log, and in one of snapshots',
  failpoints: ['in a seal of snapshots', ...MOMENTS, 'snapshots read after their seal'],
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000 },
  async run(context) {
    const { installation, times, fired } = context;
    const writer = installation.one('writer');
    const sent = await sendSnapshots(context);
    // Snapshots are sealed when a writer has taken the lease of the killed one.
    await writer.kill();
    const struck = installation
      .proxy('writer')
      .cut('before_commit', { of: SNAPSHOTS_SEALED, strike: () => writer.signal('SIGKILL') });
    await writer.start();
    await within('the writer is killed in a seal of snapshots', 60_000, struck);
    fired('in a seal of snapshots');
    await restarted(writer);
    for (let round = times(1, 3); round > 0; round -= 1)
      for (const moment of MOMENTS) {
        await killWriterAt(context, moment, SEAL_NOTED);
        fired(moment);
      }
    const { sql } = installation.store;
    await waitFor('snapshots are sealed', 60_000, async () => {
      const [row] = await sql`select from snapshot_log limit 1`;
      return row === undefined;
    });
    for (const [time, pid] of sent) {
      const { processes } = await snapshotAt(installation, HOST, time);
      if (Date.parse(processes.time ?? '') !== time || processes.list[0]?.pid !== pid)
        throw new Error(
          `the processes of ${new Date(time).toISOString()} are ${JSON.stringify(processes)} after their seal`,
        );
      fired('snapshots read after their seal');
    }
  },
};

/** PostgreSQL loses what was not committed in a seal, which is repeated. */
export const serverKilledInSeal: FaultCase = {
  id: '22b',
  fault: 'postmaster killed (kill -9) at named moments of seals of the log',
  failpoints: MOMENTS,
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000 },
  async run({ parts: { postgres }, installation, times, random, fired }) {
    for (let round = times(1, 2); round > 0; round -= 1)
      for (const moment of MOMENTS) {
        const struck = installation
          .proxy('writer')
          .cut(JOB_MOMENTS[moment], { of: SEAL_NOTED, strike: () => postgres.signal('SIGKILL') });
        await within(`PostgreSQL is killed ${moment}`, 60_000, struck);
        fired(moment);
        await waitFor('the postmaster ends', 20_000, () => !postgres.isRunning());
        await new Promise((resolve) => setTimeout(resolve, random() * 2_000));
        await postgres.start();
        await postgres.accepts(60_000);
      }
  },
};
