import { setTimeout as sleep } from 'node:timers/promises';
import { DAMAGES } from '../check/damages.ts';
import type { FaultCase } from '../fault-case.ts';

/** The control case: load and comparison without a fault, then comparisons of deliberately damaged data. */
export const noFault: FaultCase = {
  id: '0',
  fault:
    'none; then a row of samples, alerts and events removed, altered and doubled by hand, which the comparison finds',
  failpoints: DAMAGES.map(({ name }) => `${name}: found`),
  run: ({ times }) => sleep(times(5, 30) * 1_000),
  async afterwards({ installation: { store }, compareAgain, fired, note }) {
    for (const { name, found, inflict, repair } of DAMAGES) {
      await inflict(store.sql);
      const faults = await compareAgain();
      await repair(store.sql);
      if (faults.some((fault) => found.test(fault))) fired(`${name}: found`);
    }
    const left = await compareAgain();
    if (left.length > 0) throw new Error(`the deliberate damage was not repaired: ${left.join('\n')}`);
    note(`damage by hand that the comparison found: ${DAMAGES.length} of ${DAMAGES.length}`);
  },
};
