import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverProcesses } from '@tidewatch/standalone/postgres/pid-file';
import { expect, test } from 'vitest';
import { lacksScrapers, startCountingFleet } from '../agents/counting-fleet.ts';
import { openProduct } from '../scenario.ts';

/** For how long the database stands still; longer in a run by hand. */
const OUTAGE_MS = Number(process.env.TIDEWATCH_TEST_AGENT_OUTAGE_SECONDS ?? 15) * 1_000;
const PATIENCE_MS = 240_000;

const { product } = await openProduct();

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended since it was listed.
    }
  }
}

test.skipIf(lacksScrapers)(
  '[needs the agents of Debian] nothing that Prometheus, vmagent and an SDK send is lost, false or doubled when the database stands still, and no host goes offline',
  async () => {
    const fleet = await startCountingFleet(product);
    await sleep(8_000);
    const stopped = serverProcesses(join(product.dataDir, 'postgres/data'));
    signal(stopped, 'SIGSTOP');
    try {
      await sleep(OUTAGE_MS);
      expect((await fetch(`${product.url}/readyz`)).status).toBe(503);
    } finally {
      signal(stopped, 'SIGCONT');
    }
    await fleet.caughtUp(PATIENCE_MS);
    await sleep(8_000);
    await fleet.caughtUp(PATIENCE_MS);
    await fleet.check();
    await fleet.checkRates();
  },
  OUTAGE_MS + 2 * PATIENCE_MS,
);
