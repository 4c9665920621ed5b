import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultCase } from '../../fault-case.ts';
import { within } from '../../harness/wait.ts';
import { OFFSETS_MOVE } from './statements.ts';

const CUTS = {
  'cut before the database received the commit': 'before_commit',
  'cut while it commits': 'during_commit',
  'cut before the answer to the commit came': 'after_commit',
} as const;

/** The max time until a batch is committed, ms: a connection without a response is closed only after 35 s. */
const COMMITS_WITHIN_MS = 90_000;

export const commitUnknown: FaultCase = {
  id: '16',
  fault: 'the connection to PostgreSQL cut around a commit',
  failpoints: Object.keys(CUTS),
  async run({ installation, times, random, fired, note }) {
    let longest = 0;
    for (let round = times(2, 8); round > 0; round -= 1) {
      for (const role of ['writer', 'evaluator'] as const) {
        for (const [failpoint, where] of Object.entries(CUTS)) {
          const armed = performance.now();
          await within(
            failpoint,
            COMMITS_WITHIN_MS,
            installation.proxy(role).cut(where, { of: OFFSETS_MOVE }),
          );
          longest = Math.max(longest, performance.now() - armed);
          fired(failpoint);
          await sleep(random() * 500);
        }
      }
    }
    note(`longest time from a cut to the next commit: ${(longest / 1_000).toFixed(1)} s`);
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
