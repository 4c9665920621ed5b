import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOutboxEmpty } from '@tidewatch/store/outbox/publish';
import { catchUp, lagTo, logEnds } from '../check/lag.ts';
import { readSealedTo } from '../check/packed-samples.ts';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import type { Service, ServiceRole } from '../harness/service.ts';
import { waitFor, within } from '../harness/wait.ts';
import { EVENTS_PUBLISHED, MINUTES_OR_SEAL, OFFSETS_MOVE } from './database/statements.ts';

type ConsumerRole = 'writer' | 'evaluator';
const CONSUMERS = ['writer', 'evaluator'] as const;

export const rebalances: FaultCase = {
  id: '13',
  fault: 'a second and a third writer and evaluator started, killed and stopped again and again',
  failpoints: ['consumer joined', 'consumer killed', 'consumer left'],
  async run({ installation, times, random, fired, note }) {
    const sealedBefore = await readSealedTo(installation.store.sql);
    const others: Service[] = [];
    for (const role of [...CONSUMERS, ...CONSUMERS]) others.push(await installation.add(role));
    for (let round = times(1, 4); round > 0; round -= 1) {
      await Promise.all(
        others.map(async (service) => {
          await sleep(random() * 2_000);
          await service.start();
          fired('consumer joined');
        }),
      );
      for (const [index, service] of others.entries()) {
        await sleep(random() * 1_500);
        if ((index + round) % 2 === 0) {
          await service.kill();
          fired('consumer killed');
        } else {
          await service.stop();
          fired('consumer left');
        }
      }
    }
    const sealed = (await readSealedTo(installation.store.sql)) - sealedBefore;
    note(`transactions that were sealed meanwhile: ${sealed}`);
  },
};

/**
 * For how long a consumer is frozen, ms: Kafka removes a silent member from its group after 6 s, and PostgreSQL ends an
 * idle transaction after 15 s.
 */
const FROZEN_MS = { waited_for: 8_000, taken_over: 11_000, ended: 20_000 };

interface Moment {
  role: ConsumerRole;
  where: 'before_statement' | 'before_commit';
  /** Matches a statement of the transaction in which the consumer is frozen. */
  of: RegExp;
  /** What has happened to the transaction when the consumer continues. Default `ended`. */
  until?: keyof typeof FROZEN_MS;
  /** The description of the case, after the words "writer frozen". */
  words: string;
}

/**
 * The points at which a consumer is frozen. Each leaves other rows locked, or lets the consumer continue in another state.
 */
const MOMENTS: readonly Moment[] = [
  // In the first two cases both processes compete for the lease of a job. Rows need the start of another writer, which marks
  // minutes that a writer then recomputes.
  {
    role: 'writer',
    where: 'before_commit',
    of: MINUTES_OR_SEAL,
    words: 'while it recomputed minutes or sealed',
  },
  { role: 'evaluator', where: 'before_commit', of: EVENTS_PUBLISHED, words: 'while it published events' },
  ...CONSUMERS.flatMap((role): Moment[] => {
    const batch = { role, of: OFFSETS_MOVE };
    return [
      { ...batch, where: 'before_statement', until: 'taken_over', words: 'before it moved the offsets' },
      { ...batch, where: 'before_commit', words: 'before it committed a batch' },
      { ...batch, where: 'before_commit', until: 'waited_for', words: 'before a commit that is waited for' },
    ];
  }),
];

/**
 * Freezes a consumer in a transaction until another process has taken over, or waits to take over, and then continues it.
 */
async function freeze(
  { installation, fired }: FaultContext,
  { role, where, of, until = 'ended', words }: Moment,
) {
  const zombie = installation.one(role);
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
  const { promise: frozen, resolve: isFrozen } = Promise.withResolvers<void>();
  void installation.proxy(role).cut(where, {
    of,
    strike() {
      zombie.signal('SIGSTOP');
      isFrozen();
      return thawed;
    },
  });
  await within(`${role} is frozen ${words}`, 30_000, frozen);
  fired(`${role} frozen ${words}`);
  await sleep(FROZEN_MS[until]);
  const takenOver = async () => {
    await catchUp(installation, 20_000, [role]);
    await waitFor('events are published', 20_000, () => isOutboxEmpty(installation.store.sql));
    fired(`another ${role} took over`);
  };
  if (until !== 'waited_for') await takenOver();
  zombie.signal('SIGCONT');
  thaw();
  if (until === 'waited_for') await takenOver();
  await sleep(2_000);
}

export const zombies: FaultCase = {
  id: '14',
  fault: 'a consumer frozen (SIGSTOP) for 8 to 20 s in a transaction, taken over, and continued',
  failpoints: [
    ...MOMENTS.map(({ role, words }) => `${role} frozen ${words}`),
    ...CONSUMERS.map((role) => `another ${role} took over`),
  ],
  shape: { writers: 1, evaluators: 1 },
  async run(context) {
    for (const role of CONSUMERS) {
      const other = await context.installation.add(role, {
        // Bypasses the proxy on which the transaction of the frozen process is held.
        env: { TIDEWATCH_DATABASE_URL: context.installation.directUrl(role) },
      });
      let started: Promise<void> | undefined;
      for (const moment of MOMENTS.filter((one) => one.role === role)) {
        const freezing = freeze(context, moment);
        started ??= other.start();
        await Promise.all([started, freezing]);
      }
    }
  },
};

export const sharedPartitions: FaultCase = {
  id: '15',
  fault: 'two consumers made to read the same partitions, past the group',
  failpoints: ['writer forced', 'evaluator forced'],
  async run({ installation, times, random, fired }) {
    for (const role of CONSUMERS) {
      const main = fileURLToPath(new URL(`../forced/${role}.ts`, import.meta.url));
      const forced = await installation.add(role, { main });
      const own = installation.one(role);
      for (let round = times(1, 3); round > 0; round -= 1) {
        // A starting consumer takes all partitions over in the store, which the former owner notices at its next
        // compare-and-swap.
        await forced.start();
        fired(`${role} forced`);
        await sleep(2_000 + random() * 2_000);
        await own.kill();
        await own.start();
        await sleep(2_000 + random() * 2_000);
        await forced.kill();
      }
      await own.kill();
      await own.start();
    }
  },
};

const TAKEN_OVER_WITHIN_MS = 15_000;
const HEARTBEATS_MS = 1_500;

function takenOver(role: ServiceRole & ConsumerRole) {
  return async ({ installation, fired, note }: FaultContext) => {
    await catchUp(installation, 60_000, [role]);
    const killed = installation.of(role)[0] as Service;
    await killed.kill();
    fired(`${role} killed`);
    const began = performance.now();
    // Waits until each partition has a heartbeat that the killed process cannot have applied.
    await sleep(HEARTBEATS_MS);
    let ends = await logEnds(installation);
    const caughtUp = async () => {
      const wanted = ends;
      ends = await logEnds(installation);
      return (await lagTo(installation, role, wanted)) === 0n;
    };
    const what = `all partitions of the killed ${role} are taken over and caught up`;
    await waitFor(what, 90_000, caughtUp);
    const took = performance.now() - began;
    note(`killed ${role}: taken over and caught up after ${(took / 1_000).toFixed(1)} s`);
    if (took > TAKEN_OVER_WITHIN_MS)
      throw new Error(`taking over the partitions took more than ${TAKEN_OVER_WITHIN_MS / 1_000} s`);
    await killed.start();
  };
}

export const takeover: FaultCase = {
  id: '13b',
  fault: 'one of two consumers killed: its partitions are taken over and caught up within 15 s',
  failpoints: ['writer killed', 'evaluator killed'],
  shape: { writers: 2, evaluators: 2 },
  async run(context) {
    await takenOver('writer')(context);
    await takenOver('evaluator')(context);
  },
};
