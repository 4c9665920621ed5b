import type { BusUnavailableError, Delivery, PublicationRefusedError } from './bus.ts';

export interface Publication {
  deliveries: Delivery<unknown>[];
  /** The key of the publication's first message, which decides the order and the turn of the publication. */
  key: string;
  weight: number;
  /** True if the publisher asked for the id of the transaction. */
  identified: boolean;
  /** Called after the commit; `transaction` is its id if a publication of the group is `identified`, else null. */
  resolve(transaction: string | null): void;
  reject(error: BusUnavailableError | PublicationRefusedError): void;
}

export interface QueueLimits {
  /** The max number and weight of publications that wait. */
  queuedPublications: number;
  queuedWeight: number;
  /** The max weight of one group; a heavier publication goes alone. */
  groupWeight: number;
}

/** The max share of the queue that publications of one key may fill. */
const SHARE = 3 / 4;
/** The maximum weight of a group of an expensive key, unless its first publication is heavier. */
const EXPENSIVE_GROUP_WEIGHT = 5_000;

interface Held {
  count: number;
  weight: number;
}

/**
 * The publications that wait for a transaction. A key is expensive while one of its publications is processed in part: its
 * publications then go in groups of their own, and expensive keys take turns. Call `take`, then `taken` with what is left
 * of that group, then `take` again; `push` at any time.
 */
export class PublicationQueue {
  readonly #limits: QueueLimits;
  #usual: Publication[] = [];
  #usualWeight = 0;
  /** The publications of expensive keys, by key. The key whose turn is next comes first. */
  readonly #expensive = new Map<string, Publication[]>();
  readonly #held = new Map<string, Held>();
  #count = 0;
  #weight = 0;
  #isExpensiveNext = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#count;
  }

  get weight(): number {
    return this.#weight;
  }

  /** Returns why there is no room for another publication, or null if there is. An empty queue always has room. */
  fullness({ key, weight }: Pick<Publication, 'key' | 'weight'>): string | null {
    const { queuedPublications, queuedWeight } = this.#limits;
    if (this.#count === 0) return null;
    if (this.#count >= queuedPublications || this.#weight + weight > queuedWeight)
      return 'too much is waiting to be stored';
    const held = this.#held.get(key);
    if (held === undefined) return null;
    const isOver = held.count >= SHARE * queuedPublications || held.weight + weight > SHARE * queuedWeight;
    return isOver ? 'too much of the same organization is waiting to be stored' : null;
  }

  push(publication: Publication): void {
    const expensive = this.#expensive.size > 0 ? this.#expensive.get(publication.key) : undefined;
    if (expensive !== undefined) expensive.push(publication);
    else {
      this.#usual.push(publication);
      this.#usualWeight += publication.weight;
    }
    this.#hold(publication);
  }

  /** Takes the next group out of the queue; it is empty only if no publication waits. */
  take(): Publication[] {
    const isExpensive = this.#usual.length === 0 || (this.#isExpensiveNext && this.#hasExpensive());
    this.#isExpensiveNext = !isExpensive;
    const group = isExpensive ? this.#takeExpensive() : this.#takeUsual();
    for (const publication of group) this.#release(publication);
    return group;
  }

  /** Puts the unprocessed publications of the group that was taken last back into the queue, in their order. */
  taken(left: readonly Publication[]): void {
    if (left.length > 0) {
      const byKey = Map.groupBy(left, ({ key }) => key);
      const [usual, since] = [this.#usual, new Map<string, Publication[]>()];
      this.#usual = usual.filter((publication) => {
        if (!byKey.has(publication.key)) return true;
        const own = since.get(publication.key) ?? [];
        since.set(publication.key, own);
        own.push(publication);
        return false;
      });
      this.#usualWeight = weightOf(this.#usual);
      for (const [key, publications] of byKey)
        this.#expensive.set(key, [
          ...publications,
          ...(this.#expensive.get(key) ?? []),
          ...(since.get(key) ?? []),
        ]);
      for (const publication of left) this.#hold(publication);
    }
    for (const [key, publications] of this.#expensive)
      if (publications.length === 0) this.#expensive.delete(key);
  }

  /** Removes and returns all publications. */
  clear(): Publication[] {
    const all = [...this.#usual, ...[...this.#expensive.values()].flat()];
    this.#usual = [];
    this.#usualWeight = 0;
    this.#expensive.clear();
    this.#held.clear();
    this.#count = 0;
    this.#weight = 0;
    return all;
  }

  #hasExpensive(): boolean {
    for (const publications of this.#expensive.values()) if (publications.length > 0) return true;
    return false;
  }

  #takeUsual(): Publication[] {
    const { groupWeight } = this.#limits;
    const usual = this.#usual;
    if (this.#usualWeight <= groupWeight || usual.length === 1) {
      this.#usual = [];
      this.#usualWeight = 0;
      return usual;
    }
    const group = inTurns(usual, groupWeight);
    this.#usual = usual.filter((publication) => !group.has(publication));
    this.#usualWeight = weightOf(this.#usual);
    return [...group];
  }

  #takeExpensive(): Publication[] {
    for (const [key, publications] of this.#expensive) {
      let weight = 0;
      let count = 0;
      for (const publication of publications) {
        if (count > 0 && weight + publication.weight > EXPENSIVE_GROUP_WEIGHT) break;
        weight += publication.weight;
        count += 1;
      }
      // Keeps the key expensive and puts it last in turn, so that its later publications do not overtake the group.
      this.#expensive.delete(key);
      this.#expensive.set(key, publications.slice(count));
      if (count > 0) return publications.slice(0, count);
    }
    return [];
  }

  #hold({ key, weight }: Publication): void {
    this.#count += 1;
    this.#weight += weight;
    const held = this.#held.get(key);
    if (held === undefined) this.#held.set(key, { count: 1, weight });
    else {
      held.count += 1;
      held.weight += weight;
    }
  }

  #release({ key, weight }: Publication): void {
    this.#count -= 1;
    this.#weight -= weight;
    const held = this.#held.get(key);
    if (held === undefined) return;
    held.count -= 1;
    held.weight -= weight;
    if (held.count === 0) this.#held.delete(key);
  }
}

/**
 * Chooses the publications of the next group, up to the weight `groupWeight`, by turns one of each key. Takes at least one,
 * even if it is heavier.
 */
function inTurns(publications: readonly Publication[], groupWeight: number): Set<Publication> {
  const group = new Set<Publication>();
  let weight = 0;
  const lanes = [...Map.groupBy(publications, ({ key }) => key).values()];
  for (let place = 0; lanes.length > 0; place += 1) {
    for (let lane = 0; lane < lanes.length; lane += 1) {
      const next = lanes[lane]?.[place];
      if (next !== undefined && (group.size === 0 || weight + next.weight <= groupWeight)) {
        group.add(next);
        weight += next.weight;
        continue;
      }
      lanes.splice(lane, 1);
      lane -= 1;
    }
  }
  return group;
}

function weightOf(publications: readonly Publication[]): number {
  let weight = 0;
  for (const publication of publications) weight += publication.weight;
  return weight;
}
