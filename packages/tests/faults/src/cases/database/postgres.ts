import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase, FaultContext } from '../../fault-case.ts';
import { waitFor } from '../../harness/wait.ts';

export const backendKilled: FaultCase = {
  id: '5a',
  fault:
    "a server process of the writer's, then one of the evaluator's, killed (kill -9): PostgreSQL recovers",
  failpoints: ['server process killed'],
  async run({ parts, installation, times, fired }) {
    for (let round = times(1, 2); round > 0; round -= 1) {
      for (const role of ['writer', 'evaluator'] as const) {
        const name = `tidewatch-${role}`;
        const [row] = await installation.store.sql<{ pid: number }[]>`
          select pid from pg_stat_activity where application_name = ${name} order by xact_start nulls last limit 1`;
        if (!row)
          throw new Error(`${name} has no connection to PostgreSQL whose server process could be killed`);
        process.kill(row.pid, 'SIGKILL');
        fired('server process killed');
        await parts.postgres.accepts(60_000);
        await sleep(2_000);
      }
    }
  },
};

/** Ends PostgreSQL's main process by a signal and starts it again after some time. */
function ended(id: string, fault: string, signal: 'SIGKILL' | 'SIGQUIT'): FaultCase {
  return {
    id,
    fault,
    failpoints: ['postmaster ended'],
    async run({ parts: { postgres }, random, times, fired }) {
      for (let round = times(1, 2); round > 0; round -= 1) {
        postgres.signal(signal);
        await waitFor('the postmaster ends', 20_000, () => !postgres.isRunning());
        fired('postmaster ended');
        await sleep(random() * 3_000);
        await postgres.start();
        await sleep(4_000);
      }
    },
  };
}

export const postmasterKilled = ended('5b', 'postmaster killed (kill -9)', 'SIGKILL');
export const postmasterImmediate = ended('5c', 'immediate shutdown of PostgreSQL (SIGQUIT)', 'SIGQUIT');

const AWAY_MS = 60_000;
const MAX_BYTES = 400 * 2 ** 20;

/** Returns how often the partitions of all consumers were taken over since the installation began. */
async function takeovers({ installation }: FaultContext): Promise<number> {
  const [row] = await installation.store.sql<{ epoch: number }[]>`
    select max(epoch)::integer as epoch from consumer_offsets`;
  return row?.epoch ?? 0;
}

export const postgresAway: FaultCase = {
  id: '5d',
  fault: 'PostgreSQL away for 60 s under load, memory of every process at most 400 MiB',
  failpoints: ['PostgreSQL stopped', 'samples accepted meanwhile'],
  async run(context) {
    const { parts, installation, load, fired, note } = context;
    const before = await takeovers(context);
    await parts.postgres.stop();
    fired('PostgreSQL stopped');
    const acknowledged = load.acknowledged();
    await sleep(AWAY_MS);
    if (load.acknowledged() > acknowledged) fired('samples accepted meanwhile');
    await parts.postgres.start();
    await waitFor(
      'the writer is ready',
      60_000,
      async () => (await installation.one('writer').readiness())?.status === 'ready',
    );
    const peaks = installation.services.map((service) => [service.name, service.peakBytes()] as const);
    note(
      `peak resident memory: ${peaks.map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(0)} MiB`).join(', ')}`,
    );
    const over = peaks.filter(([, bytes]) => bytes > MAX_BYTES);
    if (over.length > 0)
      throw new Error(`processes use more than 400 MiB of memory: ${over.map(([name]) => name).join(', ')}`);
    note(`partitions taken over during the outage: ${(await takeovers(context)) - before} times`);
  },
};
