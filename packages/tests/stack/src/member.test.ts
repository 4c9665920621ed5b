import { expect, test } from 'vitest';
import { createCrew, type Member, type Running } from './member.ts';

const log = { warn: () => undefined };
const crewOf = () =>
  createCrew({ restart: false, onChange: () => undefined, log, sleep: async () => undefined });

test('stopping the stack during a start ends the process that was being started', async () => {
  const events: string[] = [];
  const begun = Promise.withResolvers<void>();
  const member: Member = {
    role: 'proxy',
    name: 'proxy',
    async start(leaving) {
      begun.resolve();
      await new Promise((resolve) => leaving.addEventListener('abort', resolve));
      const stop = async () => void events.push('stopped');
      return { pid: 1, ended: new Promise(() => undefined), stop } satisfies Running;
    },
  };
  const crew = crewOf();
  const adding = crew.add(member).catch((error: Error) => events.push(error.message));
  await begun.promise;
  await crew.stop();
  await adding;
  expect(events).toEqual(['stopped', 'proxy was stopped while it started']);
  expect(crew.processes()).toEqual([]);
});

test('no process is started once the stack is being stopped', async () => {
  const crew = crewOf();
  await crew.stop();
  const start = () => Promise.reject(new Error('must not be called'));
  await expect(crew.add({ role: 'proxy', name: 'proxy', start })).rejects.toThrow('being stopped');
});
