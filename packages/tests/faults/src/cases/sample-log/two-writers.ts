import type { Sql } from '@tidewatch/database/connection';
import { readSealedTo } from '../../check/packed-samples.ts';
import type { FaultCase, FaultContext } from '../../fault-case.ts';
import type { Service } from '../../harness/service.ts';
import { waitFor, within } from '../../harness/wait.ts';
import { SEAL_NOTED } from '../database/statements.ts';
import { restarted } from './strikes.ts';

const TAKEN_OVER_WITHIN_MS = 60_000;

/** Waits until one of the writers has the lease of seals; returns it. */
async function sealerOf({ installation }: FaultContext): Promise<Service> {
  let holder: Service | undefined;
  await waitFor('a writer has the lease of seals', TAKEN_OVER_WITHIN_MS, async () => {
    const pid = await holderOf(installation.store.sql);
    holder = installation.of('writer').find((service) => service.pid() === pid);
    return holder !== undefined;
  });
  return holder as Service;
}

async function holderOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ holder: string }[]>`
    select holder from leases where name = 'writer-seal' and expires_at > clock_timestamp()`;
  return Number(row?.holder.split('/').at(-1) ?? 0);
}

/** Of two writers the one that seals is killed; the other takes over its seals and its partitions, and the killed one comes back. */
export const sealerTakenOver: FaultCase = {
  id: '22d',
  fault:
    'of two writers the one that seals killed (kill -9) before its commit, taken over, and started again',
  failpoints: ['writer killed in its seal', 'the other writer sealed'],
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000, writers: 2 },
  async run(context) {
    const { installation, times, fired } = context;
    for (let round = times(2, 4); round > 0; round -= 1) {
      const sealer = await sealerOf(context);
      const struck = installation
        .proxy('writer')
        .cut('before_commit', { of: SEAL_NOTED, strike: () => sealer.signal('SIGKILL') });
      await within('a writer is killed in its seal', 30_000, struck);
      fired('writer killed in its seal');
      const { sql } = installation.store;
      const sealed = await readSealedTo(sql);
      await waitFor('the other writer seals', TAKEN_OVER_WITHIN_MS, async () => {
        const seq = await readSealedTo(sql);
        return seq > sealed;
      });
      fired('the other writer sealed');
      await restarted(sealer);
    }
  },
};
