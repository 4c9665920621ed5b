import { setTimeout as sleep } from 'node:timers/promises';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { damagesOf } from '../check/damages.ts';
import type { FaultCase } from '../fault-case.ts';

/** The control case: load and comparison without a fault, then comparisons of deliberately damaged data. */
export const noFault: FaultCase = {
  id: '0',
  fault:
    'none; then a row of samples, alerts and events removed, altered and doubled by hand, which the comparison finds',
  failpoints: damagesOf('rows').map(({ name }) => `${name}: found`),
  run: ({ times }) => sleep(times(5, 30) * 1_000),
  async afterwards({ installation: { store }, compareAgain, fired, note }) {
    const damages = damagesOf(await readSampleLayout(store.sql));
    for (const { name, found, inflict, repair } of damages) {
      await inflict(store.sql);
      const faults = await compareAgain();
      await repair(store.sql);
      if (faults.some((fault) => found.test(fault))) fired(`${name}: found`);
    }
    const left = await compareAgain();
    if (left.length > 0) throw new Error(`the deliberate damage was not repaired: ${left.join('\n')}`);
    note(`damage by hand that the comparison found: ${damages.length} of ${damages.length}`);
  },
};
