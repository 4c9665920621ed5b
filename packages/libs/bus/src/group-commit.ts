import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { attempt, type DeadLetter, isDataFault, type Rests, type Transact } from './attempt.ts';
import { BusUnavailableError, type Consumer, type Delivery, PublicationRefusedError } from './bus.ts';
import { type Publication, PublicationQueue, type QueueLimits } from './publication-queue.ts';

export interface GroupCommitOptions<Tx> {
  transact: Transact<Tx>;
  /** Returns the id of a transaction; null where the store has none. */
  identify: ((tx: Tx) => Promise<string>) | null;
  consumers: readonly Consumer<unknown, Tx>[];
  /** Milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
  onDeadLetter(letter: DeadLetter): void;
  /** The max amount that may wait at once, and the max amount of one transaction. */
  limits: QueueLimits;
  /** The time that all attempts of one group may take together, ms. */
  patienceMs: number;
}

export interface GroupCommit {
  /** Throws BusUnavailableError at once when there is no room or the store is known to be away. */
  accept(publication: Publication): void;
  failure(): string | null;
  close(): Promise<void>;
}

const BACKOFF = { minMs: 50, maxMs: 1_000 };
const ATTEMPTS_OF_ONE = 3;
/** A transaction that runs for longer than this counts as a failure in `failure`, though it may still succeed. */
const STALLED_MS = 10_000;
/**
 * The max time that a group waits for more publications. For `RECENT_MS` after a group, its size predicts how many will
 * come. Of publishers with a pace of their own more come in this time than in a transaction, each of which costs as much as several of them.
 */
const MAX_GATHER_MS = 40;
const RECENT_MS = 50;
/** A group of this weight does not wait for more publications, since larger transactions are not cheaper. */
const GATHERED_WEIGHT = 5_000;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Group commit: publications that arrive while a transaction runs share the next one. A group that fails is halved until a
 * poison message fails alone; it becomes a dead letter only if the error shows that its data is the cause. Rests of
 * publications go in groups of their own (`publication-queue.ts`).
 */
export function createGroupCommit<Tx>(options: GroupCommitOptions<Tx>): GroupCommit {
  const { transact, identify, consumers, now, sleep, limits, patienceMs } = options;
  const queue = new PublicationQueue(limits);
  /** The publications of the current group that were not processed, or only in part. */
  let left: Publication[] = [];
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let attemptedAt: number | null = null;
  let closed = false;
  const crowd = { size: 1, endedAt: Number.NEGATIVE_INFINITY };
  let complete: (() => void) | null = null;

  /**
   * Waits for as many publications as came lately: publishers that were just answered usually publish again at once, and many others
   * have a steady pace. A single publisher is not delayed.
   */
  async function gather(): Promise<void> {
    const missing = () => queue.size < crowd.size && queue.weight < GATHERED_WEIGHT;
    if (closed || now() - crowd.endedAt > RECENT_MS || !missing()) return;
    const waited = sleep(MAX_GATHER_MS);
    const joined = new Promise<void>((resolve) => {
      complete = () => {
        if (closed || !missing()) resolve();
      };
    });
    await Promise.race([waited, joined]);
    complete = null;
  }

  function failing(): string | null {
    const waited = attemptedAt === null ? 0 : now() - attemptedAt;
    if (failure !== null || waited < STALLED_MS) return failure;
    return `a transaction has not ended for ${Math.floor(waited / 1_000)} seconds`;
  }

  function settle(
    group: readonly Publication[],
    deadLetters: readonly DeadLetter[],
    transaction: string | null,
    rests: Rests = new Map(),
  ): void {
    const dead = new Map<Delivery<unknown>, string>();
    for (const letter of deadLetters) {
      if (dead.has(letter.delivery)) continue;
      dead.set(letter.delivery, letter.reason);
      options.onDeadLetter(letter);
    }
    for (const publication of group) {
      const lost =
        dead.size === 0 ? undefined : publication.deliveries.find((delivery) => dead.has(delivery));
      if (lost !== undefined) publication.reject(new PublicationRefusedError(dead.get(lost)));
      else if (rests.size === 0 || !leave(publication, rests)) publication.resolve(transaction);
    }
  }

  /** Keeps the unprocessed part of a publication for a later group; returns false where all of it was processed. */
  function leave(publication: Publication, rests: Rests): boolean {
    const deliveries = publication.deliveries
      .filter((delivery) => rests.has(delivery))
      .map((delivery) => ({ ...delivery, value: rests.get(delivery) }));
    if (deliveries.length === 0) return false;
    left.push({ ...publication, deliveries });
    return true;
  }

  /**
   * Moves publications whose key has an unprocessed publication to a later group, so that order is kept; returns the
   * others.
   */
  function leaveBehind(group: readonly Publication[]): readonly Publication[] {
    if (left.length === 0) return group;
    const keys = new Set(left.map(({ key }) => key));
    left.push(...group.filter(({ key }) => keys.has(key)));
    return group.filter(({ key }) => !keys.has(key));
  }

  function rejectAll(group: readonly Publication[], reason: string, cause: unknown): void {
    const error = new BusUnavailableError(reason, 2, { cause });
    for (const publication of group) publication.reject(error);
  }

  /**
   * Returns the transaction function of a group; puts the transaction's id into `identified` where a publication wants a
   * receipt.
   */
  function transactionOf(
    group: readonly Publication[],
    identified: { transaction: string | null },
  ): Transact<Tx> {
    if (identify === null || !group.some(({ identified }) => identified)) return transact;
    return (work) =>
      transact(async (tx) => {
        identified.transaction = await identify(tx);
        return work(tx);
      });
  }

  /**
   * Commits a group. Returns false when the store is unavailable, after it rejected the publications that were not
   * committed.
   */
  async function commit(group: readonly Publication[], deadline: number): Promise<boolean> {
    if (group.length === 0) return true;
    const batch = group.flatMap((publication) => publication.deliveries);
    for (let tries = 1; ; tries += 1) {
      attemptedAt = now();
      const identified: { transaction: string | null } = { transaction: null };
      const result = await attempt(transactionOf(group, identified), consumers, batch);
      attemptedAt = null;
      if (result.ok) {
        settle(group, result.deadLetters, identified.transaction, result.rests);
        return true;
      }
      const reason = messageOf(result.error);
      if (!result.outage && group.length > 1 && tries >= 2) {
        const middle = Math.ceil(group.length / 2);
        const first = await commit(group.slice(0, middle), Math.max(deadline, now() + BACKOFF.minMs));
        if (first) return commit(leaveBehind(group.slice(middle)), Math.max(deadline, now() + BACKOFF.minMs));
        rejectAll(group.slice(middle), reason, result.error);
        return false;
      }
      const pause = backoffMs(tries - 1, BACKOFF, 1);
      const given = !result.outage && tries >= ATTEMPTS_OF_ONE;
      if (given || now() + pause > deadline) {
        if (group.length === 1 && isDataFault(result.error)) {
          const { consumer } = result;
          settle(
            group,
            batch.map((delivery) => ({ delivery, consumer, reason })),
            null,
          );
          return true;
        }
        rejectAll(group, reason, result.error);
        if (result.outage) failure = reason;
        return !result.outage;
      }
      await sleep(pause);
    }
  }

  /** Tries empty transactions until the store is available again. Meanwhile, publications are refused at once. */
  async function probe(): Promise<void> {
    for (let failures = 0; failure !== null && !closed; failures += 1) {
      await sleep(backoffMs(failures, BACKOFF, 1));
      try {
        await transact(async () => undefined);
        failure = null;
      } catch (error) {
        failure = messageOf(error);
      }
    }
  }

  async function drain(): Promise<void> {
    // Publications that arrive in the same turn of the event loop share the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.size > 0) {
      await gather();
      const group = queue.take();
      left = [];
      const healthy = await commit(group, now() + patienceMs);
      // Publications that were processed in part would delay the shutdown for long, so they are rejected instead.
      if (closed) rejectAll(left, 'it is closing', null);
      queue.taken(closed ? [] : left);
      crowd.size = group.length + queue.size;
      crowd.endedAt = now();
      if (healthy) continue;
      rejectAll(queue.clear(), failure ?? 'the store is unavailable', null);
      await probe();
    }
  }

  function run(): void {
    running ??= drain().finally(() => {
      running = null;
      if (queue.size > 0) run();
    });
  }

  return {
    accept(publication) {
      if (closed) throw new BusUnavailableError('it is closing', 2);
      const reason = failing();
      if (reason !== null) throw new BusUnavailableError(reason, 2);
      const fullness = queue.fullness(publication);
      if (fullness !== null) throw new BusUnavailableError(fullness, 1);
      queue.push(publication);
      complete?.();
      run();
    },
    failure: failing,
    async close() {
      closed = true;
      complete?.();
      while (running !== null) await running;
    },
  };
}
