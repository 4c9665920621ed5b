import { assignSlots, ordinalOf, SLOTS_PER_BLOCK, slotOf } from '@tidewatch/domain/series/slots';
import type { ServiceEntry } from '@tidewatch/store/directory/service-entry';
import type { BlockRow, SubjectKind } from '@tidewatch/store/samples/block-rows';
import { Block } from './block.ts';

/** Slots of a block that are used already but not stored yet; the block neither where its id is 0. */
export interface Addition {
  subject: Subject;
  /** The first of the slots; the others follow it. */
  slot: number;
  metrics: string[];
}
export type Additions = Map<Block, Addition>;

/** A host or one of its containers, with its blocks and the slots of its metrics. */
export class Subject {
  readonly entry: ServiceEntry;
  readonly kind: SubjectKind;
  readonly name: string;
  readonly blocks: Block[] = [];
  readonly #places = new Map<string, number>();
  // Payloads of one subject nearly always carry the same metrics in the same order: the names of the last one,
  // each with ordinal * 16 + slot, spare a hash lookup for every sample.
  readonly #lastNames: string[] = [];
  readonly #lastPlaces: number[] = [];

  constructor(entry: ServiceEntry, kind: SubjectKind, name: string) {
    this.entry = entry;
    this.kind = kind;
    this.name = name;
  }

  /** Takes a stored block over. */
  load(row: BlockRow): Block {
    const block = new Block(row.ordinal);
    block.id = row.id;
    this.blocks[row.ordinal] = block;
    for (let slot = 0; slot < row.metrics.length; slot++) {
      const metric = row.metrics[slot] as string;
      if (metric !== '') this.#places.set(metric, row.ordinal * SLOTS_PER_BLOCK + slot);
    }
    return block;
  }

  /** Ordinal * 16 + slot of the `index`-th metric of `metrics`; every metric without a slot is given one. */
  place(index: number, metric: string, metrics: object, additions: Additions): number {
    if (this.#lastNames[index] === metric) return this.#lastPlaces[index] as number;
    let place = this.#places.get(metric);
    if (place === undefined) {
      this.#assign(numericKeys(metrics), additions);
      place = this.#places.get(metric) as number;
    }
    this.#lastNames[index] = metric;
    this.#lastPlaces[index] = place;
    return place;
  }

  /** The latest value of a metric, null where it was never reported. */
  latest(metric: string): number | null {
    const place = this.#places.get(metric);
    if (place === undefined) return null;
    const value = this.blocks[ordinalOf(place)]?.latestValues[slotOf(place)];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  #assign(metrics: string[], additions: Additions): void {
    for (const [metric, place] of assignSlots(this.#places, metrics)) {
      this.#places.set(metric, place);
      const ordinal = ordinalOf(place);
      let block = this.blocks[ordinal];
      if (block === undefined) {
        block = new Block(ordinal);
        block.known = true;
        this.blocks[ordinal] = block;
      }
      const addition = additions.get(block);
      if (addition === undefined)
        additions.set(block, { subject: this, slot: slotOf(place), metrics: [metric] });
      else addition.metrics.push(metric);
    }
  }
}

function numericKeys(metrics: object): string[] {
  const keys: string[] = [];
  for (const [key, value] of Object.entries(metrics)) if (typeof value === 'number') keys.push(key);
  return keys;
}
