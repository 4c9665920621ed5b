import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import type { Service } from '../harness/service.ts';
import { within } from '../harness/wait.ts';
import { OFFSETS_MOVE } from './database/statements.ts';

/** The points of a transaction at which its process is killed. */
const MOMENTS = {
  'before its transaction moved the offsets': 'before_statement',
  'with rows written, before the commit': 'before_commit',
  'while the database commits': 'during_commit',
  'after the commit, before it knew': 'after_commit',
} as const;

/** Kills a consumer at a given point of a transaction that stores a batch. */
async function killAt(
  { installation, fired }: FaultContext,
  service: Service,
  moment: keyof typeof MOMENTS,
): Promise<void> {
  const struck = installation.proxy(service.role).cut(MOMENTS[moment], {
    of: OFFSETS_MOVE,
    strike: () => service.signal('SIGKILL'),
  });
  await within(`${service.name} is killed ${moment}`, 30_000, struck);
  fired(moment);
  while (service.isRunning()) await sleep(10);
  await service.start();
}

function killed(id: string, role: 'writer' | 'evaluator'): FaultCase {
  return {
    id,
    fault: `${role} killed (kill -9) at named and at random moments`,
    failpoints: [...Object.keys(MOMENTS), 'killed at random'],
    async run(context) {
      const service = context.installation.one(role);
      for (let round = context.times(1, 2); round > 0; round -= 1) {
        for (const moment of Object.keys(MOMENTS) as (keyof typeof MOMENTS)[])
          await killAt(context, service, moment);
        await sleep(context.random() * 2_000);
        await service.kill();
        context.fired('killed at random');
        await service.start();
      }
    },
  };
}

export const writerKilled = killed('2', 'writer');
export const evaluatorKilled = killed('3', 'evaluator');
