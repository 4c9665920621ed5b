import { setTimeout as sleep } from 'node:timers/promises';
import type { Cut } from '@tidewatch/harness/cutting-proxy';
import { compareInvestigations, endOf } from '../check/investigations.ts';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import { drawInvestigations } from '../harness/investigations.ts';
import { waitFor, within } from '../harness/wait.ts';
import { FACTS_READ, OUTCOME_WRITE } from './database/statements.ts';

interface Moment {
  where: Cut;
  of: RegExp;
  /** Whether the investigation must be started again; after its end was committed, it must not. */
  isBegunAgain?: boolean;
}

const MOMENTS: Readonly<Record<string, Moment>> = {
  'while a run reads': { where: 'before_statement', of: FACTS_READ, isBegunAgain: true },
  'while a run stores, before the commit': { where: 'before_commit', of: OUTCOME_WRITE, isBegunAgain: true },
  'while the database commits the end of a run': { where: 'during_commit', of: OUTCOME_WRITE },
  'after that commit, before the run knew': {
    where: 'after_commit',
    of: OUTCOME_WRITE,
    isBegunAgain: false,
  },
};
const STRUCK_WITHIN_MS = 60_000;

/** A fault of a server, and its repair. */
interface Blow {
  /** Returns the function that causes the fault. The connection is cut at once, unless it returns a promise. */
  aim(context: FaultContext): Promise<() => void | Promise<void>>;
  mend(context: FaultContext): Promise<void>;
}

/** Causes the fault at a given point of the next run, and waits until its investigation has ended. */
async function struckAt(
  context: FaultContext,
  name: string,
  { where, of, isBegunAgain }: Moment,
  ask: () => Promise<string>,
  { aim, mend }: Blow,
): Promise<string> {
  const { installation, fired } = context;
  const strike = await aim(context);
  const struck = installation.proxy('investigator').cut(where, { of, strike });
  const id = await ask();
  await within(`a run is struck ${name}`, STRUCK_WITHIN_MS, struck);
  fired(name);
  await mend(context);
  const attempts = await endOf(installation, id);
  if (isBegunAgain !== undefined && attempts > 1 !== isBegunAgain)
    throw new Error(`the investigation ${id}, interrupted ${name}, was started ${attempts} times`);
  return id;
}

async function compared({ installation, note }: FaultContext, asked: readonly string[]): Promise<void> {
  const { faults, completed, failed, runs, evidence } = await compareInvestigations(installation, asked);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  note(
    `${completed} investigations completed and ${failed} failed by ${runs} runs, ${evidence} pieces of evidence`,
  );
}

/** A case in which a server goes down at each point of a run, and recovers. */
function withoutServer(id: string, fault: string, blow: Blow): FaultCase {
  return {
    id,
    fault,
    failpoints: Object.keys(MOMENTS),
    shape: { investigators: 2 },
    async run(context) {
      const rounds = context.times(1, 2);
      const drawn = await drawInvestigations(context, rounds * Object.keys(MOMENTS).length);
      const asked: string[] = [];
      for (let round = 0; round < rounds; round += 1)
        for (const [name, moment] of Object.entries(MOMENTS))
          asked.push(await struckAt(context, name, moment, drawn.next, blow));
      await compared(context, asked);
    },
  };
}

export const investigatedWithoutBackend = withoutServer(
  '21a',
  "a server process of the investigator's killed (kill -9) while a run reads and stores: PostgreSQL recovers",
  {
    async aim({ installation: { store } }) {
      let pid = 0;
      await waitFor('the investigator has a connection', 30_000, async () => {
        const [row] = await store.sql<{ pid: number }[]>`
          select pid from pg_stat_activity where application_name = 'tidewatch-investigator' limit 1`.catch(
          () => [],
        );
        pid = row?.pid ?? 0;
        return pid !== 0;
      });
      return () => void process.kill(pid, 'SIGKILL');
    },
    async mend({ parts }) {
      // Waits, because the database still serves requests for a moment after the kill.
      await sleep(500);
      await parts.postgres.accepts(60_000);
    },
  },
);

export const investigatedWithoutPostmaster = withoutServer(
  '21b',
  'postmaster killed (kill -9) while a run of an investigation reads and stores',
  {
    aim:
      async ({ parts }) =>
      () =>
        parts.postgres.signal('SIGKILL'),
    async mend({ parts: { postgres }, random }) {
      await waitFor('the postmaster ends', 20_000, () => !postgres.isRunning());
      await sleep(random() * 3_000);
      await postgres.start();
      await postgres.accepts(60_000);
    },
  },
);

const FULL_MS = 12_000;
const BALLAST = 'ballast';
const WITHOUT_SPACE = 'while a run stores';

export const investigatedOnFullDisk: FaultCase = {
  id: '21c',
  fault: `PostgreSQL's disk full for ${FULL_MS / 1_000} s while a run of an investigation stores`,
  failpoints: [WITHOUT_SPACE, 'no space was left'],
  needs: ['disks'],
  shape: { investigators: 2 },
  async run(context) {
    const drawn = await drawInvestigations(context, 1);
    const moment: Moment = { where: 'before_statement', of: OUTCOME_WRITE, isBegunAgain: true };
    const id = await struckAt(context, WITHOUT_SPACE, moment, drawn.next, {
      // Returns a promise, so that the statement is passed on to a server without disk space.
      aim:
        async ({ disks: { postgres }, fired }) =>
        async () => {
          postgres.fill(BALLAST, 0);
          if (postgres.freeBytes() < 2 ** 20) fired('no space was left');
        },
      mend: freeAfterAWhile,
    });
    await compared(context, [id]);
  },
};

/** Keeps the disk full for some time, then frees space and restarts ended processes as a container engine would. */
async function freeAfterAWhile({ disks, parts: { postgres }, note }: FaultContext): Promise<void> {
  const ballast = [BALLAST];
  // Fills space again that the database frees meanwhile.
  for (const until = performance.now() + FULL_MS; performance.now() < until; await sleep(500)) {
    const name = `${BALLAST}-${ballast.length}`;
    ballast.push(name);
    disks.postgres.fill(name, 0);
  }
  if (!postgres.isRunning()) note('PostgreSQL ended and was started again');
  for (const name of ballast) disks.postgres.free(name);
  await sleep(1_000);
  if (!postgres.isRunning()) await postgres.start();
  await postgres.accepts(60_000);
}
