import type { Rests } from '../../attempt.ts';
import type { Delivery } from '../../bus.ts';
import { packOne, type TopicFormat } from '../format/topic-format.ts';
import type { Move, StoredRest } from '../position/offset-store.ts';

/** The unprocessed part of one delivery. */
interface Rest {
  seq: number;
  delivery: Delivery<unknown>;
  bytes: number;
}

/** A partition with rests, and its position. */
export interface HeldPartition {
  partition: number;
  epoch: number;
  next: bigint;
  rests: readonly Rest[];
}

/** A transaction's changes of the rests: they are stored by that transaction, and applied to memory after its commit. */
export interface RestsPlan {
  gone: Pick<StoredRest, 'partition' | 'seq'>[];
  kept: StoredRest[];
  held: HeldPartition[];
  /** The number of calls of `clear` when the plan was made; a later `clear` makes the plan void. */
  clearings: number;
}

/**
 * The rests of deliveries that were processed in part, as they are stored. Each transaction delivers them before anything
 * newer, to keep the order of each key. Call `planOf` in a transaction, then `adopt` after its commit; `hold`, `drop` and
 * `clear` at any time.
 */
export class PartitionRests {
  readonly #format: TopicFormat<unknown>;
  readonly #topic: string;
  #held = new Map<number, HeldPartition>();
  #bytes = 0;
  #clearings = 0;

  constructor(format: TopicFormat<unknown>, topic: string) {
    this.#format = format;
    this.#topic = topic;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Bytes of the packed rests of all partitions. */
  get bytes(): number {
    return this.#bytes;
  }

  has(partition: number): boolean {
    return this.#held.has(partition);
  }

  /** Whether the partition's rests have not changed since `before` was read. */
  holds(before: HeldPartition): boolean {
    return this.#held.get(before.partition) === before;
  }

  /** Returns the partitions with rests, as a list that later changes do not affect. */
  partitions(): HeldPartition[] {
    return [...this.#held.values()];
  }

  /** Sets the rests of a partition to the stored ones. A value that cannot be unpacked is delivered as bytes. */
  hold(
    { partition, epoch, next }: Pick<HeldPartition, 'partition' | 'epoch' | 'next'>,
    stored: readonly StoredRest[],
  ): void {
    const rests = stored.map(({ seq, offset, publishedAt, value }) => {
      const delivery = { topic: this.#topic, partition, offset, key: '', publishedAt };
      return { seq, delivery: { ...delivery, value: this.#unpack(value) }, bytes: value.length };
    });
    this.#put({ partition, epoch, next, rests });
  }

  /**
   * Returns the changes after a transaction that delivered `before` and `deliveries` and did not process the parts in
   * `left`.
   */
  planOf(
    before: readonly HeldPartition[],
    moves: readonly Move[],
    deliveries: readonly Delivery<unknown>[],
    left: Rests,
  ): RestsPlan {
    const plan: RestsPlan = { gone: [], kept: [], held: [], clearings: this.#clearings };
    const known = new Map(before.map((held) => [held.partition, held]));
    const added = Map.groupBy(
      deliveries.filter((delivery) => left.has(delivery)),
      ({ partition }) => partition,
    );
    for (const { partition, epoch, to: next } of moves) {
      const rests: Rest[] = [];
      for (const rest of known.get(partition)?.rests ?? []) {
        if (!left.has(rest.delivery)) plan.gone.push({ partition, seq: rest.seq });
        else if (left.get(rest.delivery) === rest.delivery.value) rests.push(rest);
        else rests.push(this.#keep(plan, rest.seq, rest.delivery, left));
      }
      for (const delivery of added.get(partition) ?? [])
        rests.push(this.#keep(plan, (rests.at(-1)?.seq ?? 0) + 1, delivery, left));
      plan.held.push({ partition, epoch, next, rests });
    }
    return plan;
  }

  /** Applies a plan that was committed, except to partitions that changed since it was made. */
  adopt({ held, clearings }: RestsPlan, before: readonly HeldPartition[]): void {
    if (clearings !== this.#clearings) return;
    const known = new Map(before.map((one) => [one.partition, one]));
    for (const one of held) if (this.#held.get(one.partition) === known.get(one.partition)) this.#put(one);
  }

  drop(partition: number): void {
    this.#put({ partition, epoch: 0, next: 0n, rests: [] });
  }

  clear(): void {
    this.#clearings += 1;
    for (const partition of [...this.#held.keys()]) this.drop(partition);
  }

  #put(held: HeldPartition): void {
    const { partition, rests } = held;
    for (const { bytes } of this.#held.get(partition)?.rests ?? []) this.#bytes -= bytes;
    for (const { bytes } of rests) this.#bytes += bytes;
    if (rests.length > 0) this.#held.set(partition, held);
    else this.#held.delete(partition);
  }

  #keep(plan: RestsPlan, seq: number, delivery: Delivery<unknown>, left: Rests): Rest {
    const rest = { ...delivery, value: left.get(delivery) };
    const value = packOne(this.#format, rest.value);
    const { partition, offset, publishedAt } = rest;
    plan.kept.push({ partition, seq, offset, publishedAt, value });
    return { seq, delivery: rest, bytes: value.length };
  }

  #unpack(value: Buffer): unknown {
    try {
      return this.#format.decode(value)[0] ?? value;
    } catch {
      return value;
    }
  }
}
