import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import { waitFor } from '../harness/wait.ts';

async function goesOn({ load, fired }: FaultContext, how: string): Promise<void> {
  const before = load.acknowledged();
  await sleep(3_000);
  if (load.acknowledged() > before) fired(how);
}

/** Redis is stopped: each gateway counts requests by itself, and ingest continues. */
export const redisAway: FaultCase = {
  id: '6',
  fault: 'Redis killed, away when a gateway starts, stopped (SIGSTOP), flushed',
  failpoints: [
    'accepted while killed',
    'accepted by a gateway started meanwhile',
    'accepted while stopped',
    'accepted after a flush',
    'said on /readyz',
  ],
  async run(context) {
    const { parts, installation, fired } = context;
    const gateway = installation.one('gateway');
    const degraded = async () =>
      (await gateway.readiness())?.reasons.some((reason) => reason.includes('Redis')) === true;
    await parts.redis.kill();
    await goesOn(context, 'accepted while killed');
    await waitFor('/readyz reports that Redis is unavailable', 20_000, degraded);
    fired('said on /readyz');
    await gateway.stop();
    await gateway.start();
    await goesOn(context, 'accepted by a gateway started meanwhile');
    await parts.redis.start();
    await waitFor('/readyz says that Redis is back', 20_000, async () => !(await degraded()));
    parts.redis.signal('SIGSTOP');
    await goesOn(context, 'accepted while stopped');
    parts.redis.signal('SIGCONT');
    await parts.redis.kill();
    await parts.redis.start();
    await goesOn(context, 'accepted after a flush');
  },
};
