import { attempt, type DeadLetter, isOutage, type Rests, type Transact } from '../attempt.ts';
import type { Consumer, Delivery } from '../bus.ts';
import { tookPlace } from './log-position.ts';
import type { Move, OffsetStore } from './offset-store.ts';

/** One fetched batch of one partition, on its way into the store. */
export interface PartitionWork {
  move: Move;
  deliveries: readonly Delivery<unknown>[];
  /** What cannot even be read. */
  unreadable: readonly DeadLetter[];
  /** Measures the group; such as the bytes of its records. */
  weight: number;
}

/** `taken_over`: somebody else has the partition now, and nothing of this was stored by us. */
export type WorkOutcome = 'committed' | 'taken_over' | 'abandoned';

export interface PartitionCommitOptions<Tx> {
  transact: Transact<Tx>;
  consumer: Consumer<unknown, Tx>;
  topic: string;
  offsets: OffsetStore<Tx>;
  /** Resolves once the letters are durable; called inside the transaction that moves past them. */
  bury(letters: readonly DeadLetter[]): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Told the first time that a group could not be stored; it is tried again. */
  onFailure(error: unknown): void;
  /** The weight of one transaction; heavier work goes alone. */
  groupWeight: number;
}

export interface PartitionCommit {
  submit(work: PartitionWork): Promise<WorkOutcome>;
  /** Resolves when no transaction is under way and none is waiting. */
  idle(): Promise<void>;
  isFailing(): boolean;
  /** Gives up what waits for a store that is away; what can be committed is. */
  close(): Promise<void>;
}

interface Waiting {
  work: PartitionWork;
  resolve(outcome: WorkOutcome): void;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** Failures that are not outages, before the delivery at fault is looked for. */
const FAILURES_BEFORE_SEARCH = 3;

class TakenOverError extends Error {
  override name = 'TakenOverError';
  readonly partitions: readonly number[];

  constructor(partitions: readonly number[]) {
    super(`partitions ${partitions.join(', ')} were taken over`);
    this.partitions = partitions;
  }
}

/** Ends a transaction that only found out whether it would succeed. */
class ProbeEndedError extends Error {
  override name = 'ProbeEndedError';
}

/**
 * Moves partitions forward: offsets and the consumer's rows change in one transaction, several partitions at once.
 * While one transaction runs, what other partitions bring gathers for the next. A partition of which something is left
 * moves once all of it was taken; until then a crash has it delivered again, parts that were taken included.
 */
export function createPartitionCommit<Tx>(options: PartitionCommitOptions<Tx>): PartitionCommit {
  const { transact, consumer, topic, offsets, bury, sleep, groupWeight } = options;
  let queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let closed = false;

  function takeGroup(): Waiting[] {
    let weight = 0;
    let count = 0;
    for (const { work } of queue) {
      if (count > 0 && weight + work.weight > groupWeight) break;
      weight += work.weight;
      count += 1;
    }
    const group = queue.slice(0, count);
    queue = queue.slice(count);
    return group;
  }

  function movesOf(group: readonly Waiting[]): Move[] {
    return group.map(({ work }) => work.move).sort((a, b) => a.partition - b.partition);
  }

  /** The offsets move first, so that their locks put a former owner behind us or us behind the new one. */
  function moving(moves: readonly Move[]): Transact<Tx> {
    return (work) =>
      transact(async (tx) => {
        const lost = await offsets.advance(tx, consumer.name, topic, moves);
        if (lost.length > 0) throw new TakenOverError(lost);
        return work(tx);
      });
  }

  /** After a commit whose answer was lost only the store knows. */
  async function wasCommitted(moves: readonly Move[]): Promise<boolean> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        const partitions = moves.map((move) => move.partition);
        const positions = await offsets.read(consumer.name, topic, partitions);
        // All of them moved in one transaction, so one tells it of all.
        const [move] = moves;
        const stored = positions.find(({ partition }) => partition === move?.partition);
        return move !== undefined && tookPlace(stored, move);
      } catch (error) {
        if (closed) throw error;
        failure = messageOf(error);
        await sleep(pause);
      }
    }
  }

  async function succeeds(batch: readonly Delivery<unknown>[]): Promise<boolean> {
    const probing: Transact<Tx> = (work) =>
      transact(async (tx) => {
        await work(tx);
        throw new ProbeEndedError('everything was fine');
      });
    const result = await attempt(probing, [consumer], batch);
    if (!result.ok && isOutage(result.error)) throw result.error;
    return !result.ok && result.error instanceof ProbeEndedError;
  }

  /** The deliveries that no transaction can hold, found by halving. */
  async function findPoison(batch: readonly Delivery<unknown>[]): Promise<Delivery<unknown>[]> {
    if (batch.length === 0 || (await succeeds(batch))) return [];
    if (batch.length === 1) return [...batch];
    const middle = Math.ceil(batch.length / 2);
    return [...(await findPoison(batch.slice(0, middle))), ...(await findPoison(batch.slice(middle)))];
  }

  async function commit(given: readonly Waiting[]): Promise<void> {
    let group = [...given];
    let pause = FIRST_PAUSE_MS;
    let failures = 0;
    const buried = new Map<Delivery<unknown>, DeadLetter>();
    /** What is left of work that was taken in part; its letters are durable. */
    const left = new Map<Waiting, readonly Delivery<unknown>[]>();
    while (group.length > 0) {
      const moves = movesOf(group);
      const batch = group
        .flatMap((waiting) => left.get(waiting) ?? waiting.work.deliveries)
        .filter((delivery) => !buried.has(delivery));
      const begun = group.filter((waiting) => !left.has(waiting));
      const letters = [...begun.flatMap(({ work }) => work.unreadable), ...buried.values()];
      const result = await attempt(
        moving(moves),
        [consumer],
        batch,
        (found) => bury([...letters, ...found]),
        (tx, rests) => offsets.retreat(tx, consumer.name, topic, movesLeft(moves, rests)),
      );
      const isUnknown = !result.ok && result.unknown;
      if (isUnknown) {
        if (failure === null) options.onFailure(result.error);
        failure = messageOf(result.error);
      }
      // A partition that is left in part has not moved, so it cannot tell whether the commit took place.
      const moved = result.ok ? moves : without(moves, movesLeft(moves, result.rests));
      if (result.ok || (isUnknown && moved.length > 0 && (await wasCommitted(moved)))) {
        failure = null;
        failures = 0;
        pause = FIRST_PAUSE_MS;
        buried.clear();
        const rests = [...result.rests].map(([delivery, value]) => ({ ...delivery, value }));
        const remaining: Waiting[] = [];
        for (const waiting of group) {
          const own = rests.filter(({ partition }) => partition === waiting.work.move.partition);
          if (own.length === 0) waiting.resolve('committed');
          else {
            left.set(waiting, own);
            remaining.push(waiting);
          }
        }
        // The next owner of these partitions takes what is left.
        if (closed) {
          group = remaining;
          break;
        }
        // What other partitions brought meanwhile does not wait for the rest.
        group = remaining.length === 0 ? [] : [...remaining, ...takeGroup()];
        continue;
      }
      if (result.error instanceof TakenOverError) {
        const { partitions } = result.error;
        const lost = group.filter(({ work }) => partitions.includes(work.move.partition));
        for (const { resolve } of lost) resolve('taken_over');
        group = group.filter((waiting) => !lost.includes(waiting));
        continue;
      }
      if (failure === null) options.onFailure(result.error);
      failure = messageOf(result.error);
      if (closed) break;
      if (!result.outage && ++failures >= FAILURES_BEFORE_SEARCH) {
        failures = 0;
        const reason = failure;
        // An outage during the search ends it; it is begun again after the next failures.
        const poison = await findPoison(batch).catch(() => []);
        for (const delivery of poison) buried.set(delivery, { delivery, consumer: consumer.name, reason });
        if (poison.length > 0) continue;
      }
      await sleep(pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
    for (const { resolve } of group) resolve('abandoned');
  }

  async function drain(): Promise<void> {
    // Batches of other partitions of the same fetch arrive in the same turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commit(takeGroup());
  }

  function run(): void {
    running ??= drain().finally(() => {
      running = null;
      if (queue.length > 0) run();
    });
  }

  async function idle(): Promise<void> {
    while (running !== null) await running;
  }

  return {
    submit: (work) =>
      new Promise((resolve) => {
        if (closed) {
          resolve('abandoned');
          return;
        }
        queue.push({ work, resolve });
        run();
      }),
    idle,
    isFailing: () => failure !== null,
    async close() {
      closed = true;
      await idle();
    },
  };
}

/** The moves of partitions of which something is left. */
function movesLeft(moves: readonly Move[], rests: Rests): Move[] {
  const partitions = new Set([...rests.keys()].map(({ partition }) => partition));
  return moves.filter(({ partition }) => partitions.has(partition));
}

function without(moves: readonly Move[], others: readonly Move[]): readonly Move[] {
  return others.length === 0 ? moves : moves.filter((move) => !others.includes(move));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
