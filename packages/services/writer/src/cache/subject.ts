import { assignSlots, ordinalOf, SLOTS_PER_BLOCK, slotOf } from '@tidewatch/domain/series/slots';
import { logBucketOf } from '@tidewatch/store/sample-log/buckets';
import type { BlockRow, SubjectKind } from '@tidewatch/store/samples/block-rows';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import { Block } from './block.ts';
import { NO_SLOTS } from './slot-layout.ts';

/** Assigned slots of a block that are not stored yet. A block with id 0 is not stored either. */
export interface Addition {
  subject: Subject;
  /** The first slot; the others follow it. */
  slot: number;
  metrics: string[];
}
export type Additions = Map<Block, Addition>;

/** A host, one of its containers, or all of its parts together, with its blocks and the slots of its metrics. */
export class Subject {
  readonly entry: ServiceEntry;
  readonly kind: SubjectKind;
  readonly name: string;
  /** The bucket of the log that has its samples. */
  readonly logBucket: number;
  /** The blocks of this subject, indexed by their ordinal. */
  blocks: readonly Block[] = [];
  #layout = NO_SLOTS;

  constructor(entry: ServiceEntry, kind: SubjectKind, name: string) {
    this.entry = entry;
    this.kind = kind;
    this.name = name;
    this.logBucket = logBucketOf(entry.serviceId);
  }

  /** Adds a block that the database already has, with the slots of its metrics, to the cached subject. */
  load(row: BlockRow): Block {
    const block = new Block(row.ordinal);
    block.id = row.id;
    this.#keep(block);
    const first = row.ordinal * SLOTS_PER_BLOCK;
    const stored = row.metrics
      .map((metric, slot): [string, number] => [metric, first + slot])
      .filter(([metric]) => metric !== '');
    block.slots = stored.length;
    this.#layout = this.#layout.with(stored);
    return block;
  }

  /** Returns ordinal * 16 + slot of each metric, and assigns slots to metrics that have none. */
  places(metrics: readonly string[], additions: Additions): readonly number[] {
    const known = this.#layout.placesOf(metrics);
    if (known !== null) return known;
    this.#assign(metrics, additions);
    return this.#layout.placesOf(metrics) as readonly number[];
  }

  /** The place of a metric, undefined if it has none. */
  placeOf(metric: string): number | undefined {
    return this.#layout.places.get(metric);
  }

  /** The latest value of a metric, null if it was never reported. */
  latest(metric: string): number | null {
    const place = this.placeOf(metric);
    if (place === undefined) return null;
    const value = this.blocks[ordinalOf(place)]?.latestValues[slotOf(place)];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /**
   * Replaces the list by a copy, because an array that grows reserves memory for sixteen more, and most subjects have one
   * block.
   */
  #keep(block: Block): void {
    const blocks = this.blocks.slice();
    blocks[block.ordinal] = block;
    this.blocks = blocks.slice();
  }

  #assign(metrics: readonly string[], additions: Additions): void {
    const added = assignSlots(this.#layout.places, metrics);
    this.#layout = this.#layout.with(added);
    for (const [metric, place] of added) {
      const ordinal = ordinalOf(place);
      let block = this.blocks[ordinal];
      if (block === undefined) {
        block = new Block(ordinal);
        block.known = true;
        this.#keep(block);
      }
      block.slots += 1;
      const addition = additions.get(block);
      if (addition === undefined)
        additions.set(block, { subject: this, slot: slotOf(place), metrics: [metric] });
      else addition.metrics.push(metric);
    }
  }
}
