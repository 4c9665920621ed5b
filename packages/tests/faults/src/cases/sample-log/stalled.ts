import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { isSealedTo, readUnsealed } from '../../check/packed-samples.ts';
import type { FaultCase } from '../../fault-case.ts';
import { waitFor } from '../../harness/wait.ts';
import { holdJob } from './strikes.ts';

/** The load sends a minute of each host in a second. */
const STALLED_MS = 60_000;
const MAX_BYTES = 400 * 2 ** 20;

/** Nobody seals for as long as another process holds the lease, then the writer catches up. */
export const sealStalled: FaultCase = {
  id: '22c',
  fault: 'seals of the log stalled for an hour of samples, memory of every process at most 400 MiB',
  failpoints: ['seals stalled', 'caught up'],
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000 },
  async run({ installation, times, fired, note }) {
    const { sql } = installation.store;
    await holdJob(sql, 'seal', HOUR_MS);
    // A seal that had begun when the lease was taken away may end meanwhile.
    await sleep(2_000);
    const before = await readUnsealed(sql);
    await sleep(times(15_000, STALLED_MS));
    const stalled = await readUnsealed(sql);
    if (stalled.first === before.first && stalled.bytes > before.bytes) fired('seals stalled');
    await holdJob(sql, 'seal', 0);
    const seconds = await waitFor('the log is sealed up to the release', 120_000, () =>
      isSealedTo(sql, stalled.last),
    );
    fired('caught up');
    const peaks = installation.services.map((service) => [service.name, service.peakBytes()] as const);
    note(
      `sealed ${Math.round(stalled.bytes / 1_024)} KiB of the log in ${seconds.toFixed(1)} s; peak resident memory: ${peaks.map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(0)} MiB`).join(', ')}`,
    );
    const over = peaks.filter(([, bytes]) => bytes > MAX_BYTES);
    if (over.length > 0)
      throw new Error(`processes use more than 400 MiB of memory: ${over.map(([name]) => name).join(', ')}`);
  },
};
