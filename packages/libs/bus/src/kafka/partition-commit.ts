import { attempt, type DeadLetter, type Transact } from '../attempt.ts';
import type { Consumer, Delivery } from '../bus.ts';
import { tookPlace } from './log-position.ts';
import type { Move, OffsetStore, StoredRest } from './offset-store.ts';
import { type HeldPartition, PartitionRests, type RestsPlan } from './partition-rests.ts';
import { findPoison } from './poison-search.ts';
import type { TopicFormat } from './topic-format.ts';

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
  format: TopicFormat<unknown>;
  offsets: OffsetStore<Tx>;
  /** Resolves once the letters are durable; called inside the transaction that moves past them. */
  bury(letters: readonly DeadLetter[]): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Told the first time that a group could not be stored; it is tried again. */
  onFailure(error: unknown): void;
  /** The weight of one transaction; heavier work goes alone. */
  groupWeight: number;
  /** There is room for what is left of further work, after there was none. */
  onRoom(): void;
}

export interface PartitionCommit {
  /** Resolves once all of it was taken, or stored as what is left of it. */
  submit(work: PartitionWork): Promise<WorkOutcome>;
  /** Takes what is stored as left of a partition that was claimed, before anything that is submitted later. */
  resume(place: Pick<HeldPartition, 'partition' | 'epoch' | 'next'>, rests: readonly StoredRest[]): void;
  /** Forgets what is left, which stays stored; resolves when no transaction is under way and none is waiting. */
  release(): Promise<void>;
  /** Whether so much is left, of this partition among others, that it should bring nothing more until `onRoom`. */
  isFull(partition: number): boolean;
  isFailing(): boolean;
  /** Gives up what waits for a store that is away; what can be committed is, but for what is left. */
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
/** What is left is delivered again in each transaction, so it must not be much, and it is held in memory. */
const MAX_REST_BYTES = 2 * 1024 * 1024;

class TakenOverError extends Error {
  override name = 'TakenOverError';
  readonly partitions: readonly number[];

  constructor(partitions: readonly number[]) {
    super(`partitions ${partitions.join(', ')} were taken over`);
    this.partitions = partitions;
  }
}

/**
 * Moves partitions forward: offsets and the consumer's rows change in one transaction, several partitions at once.
 * While one transaction runs, what partitions bring gathers for the next. What is left of a batch that was taken in part is
 * stored in the transaction that moves past it, and is the first thing in each transaction that follows.
 */
export function createPartitionCommit<Tx>(options: PartitionCommitOptions<Tx>): PartitionCommit {
  const { transact, consumer, topic, offsets, bury, sleep, groupWeight } = options;
  const rests = new PartitionRests(options.format, topic);
  let queue: Waiting[] = [];
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let closed = false;

  const isFull = () => rests.bytes >= MAX_REST_BYTES;

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
        const stored = positions.find(({ partition }) => partition === moves[0]?.partition);
        return moves[0] !== undefined && tookPlace(stored, moves[0]);
      } catch (error) {
        if (closed) return false;
        failure = messageOf(error);
        await sleep(pause);
      }
    }
  }

  /** After a commit whose answer was lost and that moved no partition: what is left is what the store says. */
  async function readAgain(held: readonly HeldPartition[]): Promise<void> {
    const partitions = held.map(({ partition }) => partition);
    for (let wait = FIRST_PAUSE_MS; !closed; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        // Waits until the transaction has ended at the server too.
        await offsets.read(consumer.name, topic, partitions);
        const stored = Map.groupBy(
          await offsets.rests(consumer.name, topic, partitions),
          ({ partition }) => partition,
        );
        for (const place of held)
          if (rests.holds(place)) rests.hold(place, stored.get(place.partition) ?? []);
        return;
      } catch {
        await sleep(wait);
      }
    }
  }

  /** One transaction, again until it is committed or nothing of it is ours any more. */
  async function commit(given: readonly Waiting[]): Promise<void> {
    let group = [...given];
    let pause = FIRST_PAUSE_MS;
    let failures = 0;
    const buried = new Map<Delivery<unknown>, DeadLetter>();
    while (group.length > 0 || !rests.isEmpty) {
      const before = rests.partitions();
      const wasFull = isFull();
      const moves = movesOf(group, before);
      const deliveries = group.flatMap(({ work }) => work.deliveries);
      const batch = [
        ...before.flatMap((held) => held.rests.map(({ delivery }) => delivery)),
        ...deliveries,
      ].filter((delivery) => !buried.has(delivery));
      const letters = [...group.flatMap(({ work }) => work.unreadable), ...buried.values()];
      let plan = null as RestsPlan | null;
      const result = await attempt(
        moving(moves),
        [consumer],
        batch,
        (found) => bury([...letters, ...found]),
        async (tx, left) => {
          if (before.length === 0 && left.size === 0) return;
          plan = rests.planOf(before, moves, deliveries, left);
          const { gone, kept } = plan;
          if (gone.length + kept.length > 0) await offsets.leave(tx, consumer.name, topic, gone, kept);
        },
      );
      const isUnknown = !result.ok && result.unknown;
      if (isUnknown) {
        if (failure === null) options.onFailure(result.error);
        failure = messageOf(result.error);
      }
      const moved = moves.filter(({ from, to }) => to > from);
      if (result.ok || (isUnknown && moved.length > 0 && (await wasCommitted(moved)))) {
        failure = null;
        if (plan !== null) rests.adopt(plan, before);
        for (const { resolve } of group) resolve('committed');
        if (wasFull && !isFull()) options.onRoom();
        return;
      }
      if (result.error instanceof TakenOverError) {
        const { partitions } = result.error;
        const lost = group.filter(({ work }) => partitions.includes(work.move.partition));
        for (const { resolve } of lost) resolve('taken_over');
        group = group.filter((waiting) => !lost.includes(waiting));
        for (const held of before)
          if (partitions.includes(held.partition) && rests.holds(held)) rests.drop(held.partition);
        if (wasFull && !isFull()) options.onRoom();
        continue;
      }
      if (failure === null) options.onFailure(result.error);
      failure = messageOf(result.error);
      if (closed) break;
      if (isUnknown && moved.length === 0) await readAgain(before);
      if (!result.outage && ++failures >= FAILURES_BEFORE_SEARCH) {
        failures = 0;
        const reason = failure;
        // An outage during the search ends it; it is begun again after the next failures.
        const poison = await findPoison(transact, consumer, batch).catch(() => []);
        for (const delivery of poison) buried.set(delivery, { delivery, consumer: consumer.name, reason });
        if (poison.length > 0) continue;
      }
      await sleep(pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
    for (const { resolve } of group) resolve('abandoned');
  }

  const isLeft = () => queue.length > 0 || (!rests.isEmpty && !closed);

  async function drain(): Promise<void> {
    // Batches of other partitions of the same fetch arrive in the same turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (isLeft()) await commit(takeGroup());
  }

  function run(): void {
    running ??= drain().finally(() => {
      running = null;
      if (isLeft()) run();
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
    resume(place, stored) {
      rests.hold(place, stored);
      if (!rests.isEmpty) run();
    },
    async release() {
      rests.clear();
      await idle();
    },
    isFull: (partition) => isFull() && rests.has(partition),
    isFailing: () => failure !== null,
    async close() {
      closed = true;
      await idle();
    },
  };
}

/** Of each partition that moves, or of which something is left: then it is kept where it stands. */
function movesOf(group: readonly Waiting[], held: readonly HeldPartition[]): Move[] {
  const moves = group.map(({ work }) => work.move);
  const moving = new Set(moves.map(({ partition }) => partition));
  for (const { partition, epoch, next } of held)
    if (!moving.has(partition)) moves.push({ partition, epoch, from: next, to: next, fingerprints: [] });
  return moves.sort((a, b) => a.partition - b.partition);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
