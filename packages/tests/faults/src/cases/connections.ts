import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../bed/wait.ts';
import type { FaultCase } from '../fault-case.ts';
import { OFFSETS_MOVE } from './statements.ts';

const CUTS = {
  'cut before the database heard of the commit': 'before_commit',
  'cut while it commits': 'during_commit',
  'cut before the answer to the commit came': 'after_commit',
} as const;

export const commitUnknown: FaultCase = {
  id: '16',
  fault: 'the connection to PostgreSQL cut around a commit',
  failpoints: Object.keys(CUTS),
  async run({ installation, times, random, fired }) {
    for (let round = times(2, 8); round > 0; round -= 1) {
      for (const role of ['writer', 'evaluator'] as const) {
        for (const [failpoint, where] of Object.entries(CUTS)) {
          await within(failpoint, 30_000, installation.proxy(role).cut(where, { of: OFFSETS_MOVE }));
          fired(failpoint);
          await sleep(random() * 500);
        }
      }
    }
  },
};

export const answerLost: FaultCase = {
  id: '17',
  fault: "the gateway's answer lost after Kafka's acknowledgement: the client sends again",
  failpoints: ['answer lost'],
  throughProxy: true,
  async run({ answers, times, random, fired }) {
    for (let losses = times(5, 40); losses > 0; losses -= 1) {
      await within('an answer is lost', 30_000, answers.lose());
      fired('answer lost');
      await sleep(random() * 300);
    }
  },
};
