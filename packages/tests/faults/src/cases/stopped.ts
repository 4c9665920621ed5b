import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase } from '../fault-case.ts';

const LEAVES_WITHIN_MS = 10_000;

export const terminated: FaultCase = {
  id: '20',
  fault: 'gateway, writer and evaluator stopped (SIGTERM) under load',
  failpoints: ['gateway left', 'writer left', 'evaluator left'],
  async run({ installation, times, random, fired, note }) {
    const longest = new Map<string, number>();
    for (let round = times(1, 4); round > 0; round -= 1) {
      for (const role of ['gateway', 'writer', 'evaluator'] as const) {
        const service = installation.one(role);
        await sleep(random() * 1_500);
        const { code, ms } = await service.terminate();
        if (code !== 0) throw new Error(`the ${role} exited with code ${code}`);
        if (ms > LEAVES_WITHIN_MS) throw new Error(`the ${role} took ${ms.toFixed(0)} ms to exit`);
        longest.set(role, Math.max(longest.get(role) ?? 0, ms));
        fired(`${role} left`);
        await service.start();
      }
    }
    note(
      `longest to leave: ${[...longest].map(([role, ms]) => `${role} ${(ms / 1_000).toFixed(1)} s`).join(', ')}`,
    );
  },
};
