import { setTimeout as sleep } from 'node:timers/promises';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { expect, inject, test } from 'vitest';
import { lacksScrapers, startCountingFleet } from '../agents/counting-fleet.ts';
import { askProduct } from '../control.ts';

/** Once each gateway, since the senders of one address keep one gateway. */
const KILLS = 2;
const PATIENCE_MS = 60_000;

test.skipIf(lacksScrapers)(
  '[needs the agents of Debian] nothing that Prometheus, vmagent and an SDK send is lost, false or doubled when gateways are killed one after the other',
  async () => {
    const stack = await askProduct(inject('stack')?.control as string, 'open');
    const gateways = () =>
      (readStackFile(stack.dataDir)?.processes ?? [])
        .filter(({ role }) => role === 'gateway')
        .map(({ pid }) => pid);
    const fleet = await startCountingFleet(stack);
    await sleep(8_000);
    const first = gateways();
    expect(first).toHaveLength(KILLS);
    for (const pid of first) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(gateways, { timeout: PATIENCE_MS }).not.toContain(pid);
      await expect.poll(() => gateways().length, { timeout: PATIENCE_MS }).toBe(KILLS);
      await sleep(10_000);
    }
    await fleet.caughtUp(PATIENCE_MS);
    await fleet.check();
  },
  6 * PATIENCE_MS,
);
