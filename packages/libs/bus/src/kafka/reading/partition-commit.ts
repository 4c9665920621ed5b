import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { attempt, type DeadLetter, type Transact } from '../../attempt.ts';
import type { Consumer, Delivery } from '../../bus.ts';
import type { TopicFormat } from '../format/topic-format.ts';
import { isApplied } from '../position/log-position.ts';
import type { Move, OffsetStore, StoredRest } from '../position/offset-store.ts';
import { type HeldPartition, PartitionRests, type RestsPlan } from './partition-rests.ts';
import { findPoison } from './poison-search.ts';

/** The records of one fetch from one partition, which are to be stored. */
export interface PartitionWork {
  move: Move;
  deliveries: readonly Delivery<unknown>[];
  /** Records that cannot be decoded. */
  unreadable: readonly DeadLetter[];
  /** The amount that this work counts against `groupWeight`, such as the bytes of its records. */
  weight: number;
}

/** `taken_over`: another process owns the partition now, and this one stored nothing of the work. */
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
  /** Called at the first failure of a group, which is then retried. */
  onFailure(error: unknown): void;
  /** The max weight of one transaction; heavier work gets a transaction of its own. */
  groupWeight: number;
  /** Called when `isFull` becomes false. */
  onRoom(): void;
}

export interface PartitionCommit {
  /** Resolves once every delivery was processed, or its unprocessed part was stored. */
  submit(work: PartitionWork): Promise<WorkOutcome>;
  /** Processes the stored rests of a partition that was claimed, before anything that is submitted later. */
  resume(place: Pick<HeldPartition, 'partition' | 'epoch' | 'next'>, rests: readonly StoredRest[]): void;
  /** Drops the rests from memory (they stay stored); resolves when no transaction runs or waits. */
  release(): Promise<void>;
  /**
   * Returns true if stored rests fill the memory for them and some belong to this partition: its records must not be
   * submitted until `onRoom`.
   */
  isFull(partition: number): boolean;
  isFailing(): boolean;
  /** Commits what can be committed, except for rests, and abandons what waits for an unavailable store. */
  close(): Promise<void>;
}

interface Waiting {
  work: PartitionWork;
  resolve(outcome: WorkOutcome): void;
}

const BACKOFF = { minMs: 50, maxMs: 1_000 };
/** After this many failures without an outage, the delivery that causes them is searched for. */
const FAILURES_BEFORE_SEARCH = 3;
/** The max size of all rests in memory, bytes. Each transaction delivers the rests again, so they are limited. */
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
 * Commits deliveries and offsets of several partitions in one transaction; work that arrives meanwhile shares the next one.
 * The rest of a batch that was processed in part is stored in that transaction, and comes first in the following ones.
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

  /** A transaction function that moves the offsets first: their locks serialize it with transactions of another owner. */
  function moving(moves: readonly Move[]): Transact<Tx> {
    return (work) =>
      transact(async (tx) => {
        const lost = await offsets.advance(tx, consumer.name, topic, moves);
        if (lost.length > 0) throw new TakenOverError(lost);
        return work(tx);
      });
  }

  /** Asks the store whether a commit whose result was lost took place. */
  async function wasCommitted(moves: readonly Move[]): Promise<boolean> {
    for (let failures = 0; ; failures += 1) {
      try {
        const partitions = moves.map((move) => move.partition);
        const positions = await offsets.read(consumer.name, topic, partitions);
        // All moves are in one transaction, so the first one shows whether the commit took place.
        const stored = positions.find(({ partition }) => partition === moves[0]?.partition);
        return moves[0] !== undefined && isApplied(stored, moves[0]);
      } catch (error) {
        if (closed) return false;
        failure = messageOf(error);
        await sleep(backoffMs(failures, BACKOFF, 1));
      }
    }
  }

  /**
   * Reads the rests again after a commit whose result was lost and that moved no partition, so that its positions show
   * nothing.
   */
  async function readRests(held: readonly HeldPartition[]): Promise<void> {
    const partitions = held.map(({ partition }) => partition);
    for (let failures = 0; !closed; failures += 1) {
      try {
        // Waits until the transaction has ended on the server too.
        await offsets.read(consumer.name, topic, partitions);
        const stored = Map.groupBy(
          await offsets.rests(consumer.name, topic, partitions),
          ({ partition }) => partition,
        );
        for (const place of held)
          if (rests.holds(place)) rests.hold(place, stored.get(place.partition) ?? []);
        return;
      } catch {
        await sleep(backoffMs(failures, BACKOFF, 1));
      }
    }
  }

  /** Retries one transaction until it is committed, or until this process owns none of its partitions. */
  async function commit(given: readonly Waiting[]): Promise<void> {
    let group = [...given];
    let pauses = 0;
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
      if (isUnknown && moved.length === 0) await readRests(before);
      if (!result.outage && ++failures >= FAILURES_BEFORE_SEARCH) {
        failures = 0;
        const reason = failure;
        // An outage ends the search for the failing delivery; the next failures start it again.
        const poison = await findPoison(transact, consumer, batch).catch(() => []);
        for (const delivery of poison) buried.set(delivery, { delivery, consumer: consumer.name, reason });
        if (poison.length > 0) continue;
      }
      await sleep(backoffMs(pauses++, BACKOFF, 1));
    }
    for (const { resolve } of group) resolve('abandoned');
  }

  const isLeft = () => queue.length > 0 || (!rests.isEmpty && !closed);

  async function drain(): Promise<void> {
    // Batches of other partitions of the same fetch arrive in the same turn of the event loop.
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

/** The moves of the group's partitions, and a move without progress for each other partition with rests, which locks it. */
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
