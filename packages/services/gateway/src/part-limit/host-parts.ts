import { isSameLayout, type PartShape } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';

/** How many parts, and series of parts, a host may have. */
export interface HostRoom {
  parts: number;
  series: number;
}

/** What a payload adds to the parts of its host, and what of it has no room. */
export interface Addition {
  /** New parts by their names as subjects, such as `filesystem:/var`. */
  parts: string[];
  /** New series by their keys. */
  series: string[];
  /** Positions of new parts that have no room. */
  refusedParts: number[];
  /** New series without room of parts that are known or have room. */
  refusedSeries: { index: number; metric: string }[];
}

interface Known {
  parts: Set<string>;
  series: Set<string>;
}

/**
 * The parts of one host as far as a gateway knows them. Most hosts send the same parts with each payload: of those the shape of a
 * payload is kept, and no sets.
 */
export class HostParts {
  /** When these were read from the store or, without that, first noted; ms of a monotonic clock. */
  readonly since: number;
  /** Whether these are all parts that the store had. */
  readonly isRead: boolean;
  /** When a payload last added some, ms. */
  addedAt = Number.NEGATIVE_INFINITY;
  /** The parts of a payload, all of which are known. */
  #usual: PartShape | null = null;
  /** Null where the parts of `#usual` are all. */
  #known: Known | null = null;

  constructor(since: number, stored?: Iterable<{ subject: string; key: string }>) {
    this.since = since;
    this.isRead = stored !== undefined;
    if (stored === undefined) return;
    this.#known = { parts: new Set(), series: new Set() };
    for (const { subject, key } of stored) {
      this.#known.parts.add(subject);
      this.#known.series.add(key);
    }
  }

  /** The number of series that are kept in a set. */
  get setSize(): number {
    return this.#known?.series.size ?? 0;
  }

  /** Whether a payload has the parts and metrics of the last one. */
  isUsual(shape: PartShape): boolean {
    if (this.#usual === null) return false;
    if (this.#usual !== shape && !isSameLayout(this.#usual, shape)) return false;
    this.#usual = shape;
    return true;
  }

  /** Whether the host would have at most this many parts and series with those of some payloads. */
  fits(added: readonly PartShape[], room: HostRoom): boolean {
    const [only] = added;
    if (this.#known === null && this.#usual === null && only !== undefined && added.length === 1)
      return only.kinds.length <= room.parts && only.keys.length <= room.series;
    const known = this.#sets();
    const parts = new Set<string>();
    const series = new Set<string>();
    for (const shape of added) {
      for (const { subject } of partsOf(shape)) if (!known.parts.has(subject)) parts.add(subject);
      for (const key of shape.keys) if (!known.series.has(key)) series.add(key);
    }
    return known.parts.size + parts.size <= room.parts && known.series.size + series.size <= room.series;
  }

  /** Adds the parts of a payload in their order, as far as there is room; all without `room`. */
  add(shape: PartShape, room: HostRoom | null): Addition {
    const known = this.#sets();
    const addition: Addition = { parts: [], series: [], refusedParts: [], refusedSeries: [] };
    for (const { subject, index, from, to } of partsOf(shape)) {
      const isNew = !known.parts.has(subject);
      if (isNew && room !== null && known.parts.size >= room.parts) {
        addition.refusedParts.push(index);
        continue;
      }
      const before = addition.series.length;
      for (let at = from; at < to; at += 1) {
        const key = shape.keys[at] as string;
        if (known.series.has(key)) continue;
        if (room !== null && known.series.size >= room.series) {
          addition.refusedSeries.push({ index, metric: shape.metrics[at] as string });
          continue;
        }
        known.series.add(key);
        addition.series.push(key);
      }
      if (!isNew || addition.series.length === before) continue;
      known.parts.add(subject);
      addition.parts.push(subject);
    }
    return addition;
  }

  /** Takes back what `add` has added. */
  withdraw({ parts, series }: Addition): void {
    for (const subject of parts) this.#known?.parts.delete(subject);
    for (const key of series) this.#known?.series.delete(key);
  }

  /** Notes a payload all of whose parts were added or known. */
  settle(shape: PartShape): void {
    this.#usual = shape;
    if (this.#known?.series.size === shape.keys.length) this.#known = null;
  }

  /** Adds all parts of another record of the same host. */
  takeOver(other: HostParts): void {
    const { parts, series } = other.#sets();
    const known = this.#sets();
    for (const subject of parts) known.parts.add(subject);
    for (const key of series) known.series.add(key);
    this.addedAt = other.addedAt;
  }

  #sets(): Known {
    if (this.#known === null) {
      this.#known = { parts: new Set(), series: new Set() };
      const usual = this.#usual;
      if (usual !== null) {
        for (const { subject } of partsOf(usual)) this.#known.parts.add(subject);
        for (const key of usual.keys) this.#known.series.add(key);
      }
    }
    return this.#known;
  }
}

/** The parts of a shape that have numbers, which are those from `from` to before `to`; without numbers nothing is stored. */
function* partsOf(shape: PartShape): Generator<{ subject: string; index: number; from: number; to: number }> {
  let from = 0;
  for (const [index, to] of shape.ends.entries()) {
    if (to > from)
      yield {
        subject: partSubject(shape.kinds[index] as string, shape.names[index] as string),
        index,
        from,
        to,
      };
    from = to;
  }
}
