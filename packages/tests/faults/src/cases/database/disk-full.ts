import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase, FaultContext } from '../../fault-case.ts';

/** Longer than a lease lasts, so that jobs whose process was killed run on a full disk. */
export const FULL_MS = 15_000;

/** Fills a disk under load for some time, frees space again, and restarts ended processes as a container engine would. */
export async function fillAndFree(
  { disks, parts, fired, note }: FaultContext,
  which: readonly ('kafka' | 'postgres')[],
): Promise<void> {
  const ballast: string[] = [];
  // Fills space again that the database frees meanwhile.
  for (const until = performance.now() + FULL_MS; performance.now() < until; await sleep(500)) {
    const name = `ballast-${ballast.length}`;
    ballast.push(name);
    for (const each of which) disks[each].fill(name, 0);
  }
  for (const each of which) {
    if (disks[each].freeBytes() < 2 ** 20) fired(`${each} without space`);
    if (!parts[each].isRunning()) note(`${parts[each].name} ended and was started again`);
    for (const name of ballast) disks[each].free(name);
  }
  await sleep(1_000);
  for (const each of which) if (!parts[each].isRunning()) await parts[each].start();
}

function full(id: string, fault: string, which: readonly ('kafka' | 'postgres')[]): FaultCase {
  return {
    id,
    fault,
    failpoints: which.map((each) => `${each} without space`),
    needs: ['disks'],
    run: (context) => fillAndFree(context, which),
  };
}

export const databaseDiskFull = full('7a', "PostgreSQL's disk full for 15 s", ['postgres']);
export const brokerDiskFull = full('7b', "Kafka's disk full for 15 s", ['kafka']);
export const bothDisksFull = full('7c', 'both disks full for 15 s', ['postgres', 'kafka']);
