import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase } from '../fault-case.ts';

export const gatewayKilled: FaultCase = {
  id: '1',
  fault: 'gateway killed (kill -9) at random moments',
  failpoints: ['gateway killed'],
  async run({ installation, random, times, fired }) {
    const gateway = installation.one('gateway');
    for (let kills = times(3, 20); kills > 0; kills -= 1) {
      await sleep(100 + random() * 1_900);
      await gateway.kill();
      fired('gateway killed');
      await gateway.start();
    }
  },
};
