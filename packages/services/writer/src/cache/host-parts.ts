import {
  hasSameLabels,
  isSameShape,
  type PartShape,
  seriesKey,
  splitSeriesKey,
} from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { PartRow } from '@tidewatch/store/parts/part-rows';
import type { BlockRow } from '@tidewatch/store/samples/block-rows';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from './block.ts';
import { PartPresence, type SeenPart } from './part-presence.ts';
import { Subject } from './subject.ts';

const NONE: readonly KnownPart[] = [];

/** A part of a host; its id is 0 until its row is created. */
export interface KnownPart extends SeenPart {
  id: number;
  kind: string;
  name: string;
  labels: Record<string, string>;
  /** The sample time that the labels are from, ms; null while there were none. */
  labelsAt: number | null;
}

/**
 * The parts of one host. They share the blocks of one subject, in which a metric is known by its part and its name; parts that
 * stay away keep their slots.
 */
export class HostParts extends Subject {
  readonly #parts = new Map<string, KnownPart>();
  readonly #presence = new PartPresence<KnownPart>();
  #shape: PartShape | null = null;
  /** The parts of the shape that have numbers. */
  #present: readonly KnownPart[] = NONE;

  constructor(entry: ServiceEntry) {
    super(entry, 'part', '');
  }

  /** Adds a stored part. `newest`: the newest sample time by the present clock of the host, which nothing of it is later than. */
  know({ id, kind, name, labels, labelsAt, isGone, seenAt }: PartRow, newest: number): void {
    const at = labelsAt === null ? null : Math.min(labelsAt, newest);
    const part = { id, kind, name, labels, labelsAt: at, isGone, seenAt: Math.min(seenAt, newest) };
    this.#parts.set(partSubject(kind, name), part);
    this.#presence.know(part);
  }

  /** Adds a stored block, after the parts that its slots belong to. */
  loadParts(row: BlockRow, parts: ReadonlyMap<number, PartRow>): Block {
    const metrics = row.metrics.map((metric, slot) => {
      const part = parts.get(row.parts[slot] as number);
      return part === undefined ? '' : seriesKey(partSubject(part.kind, part.name), metric);
    });
    return this.load({ ...row, metrics });
  }

  /**
   * Notes the parts and labels of a payload with this time, ms. One whose clock `isAhead` says nothing of which parts are there.
   * Returns the known parts that have other labels now, are gone, or are there again.
   */
  note(shape: PartShape, time: number, isAhead: boolean): Iterable<KnownPart> {
    const relabelled =
      this.#shape !== null && isSameShape(shape, this.#shape) ? NONE : this.#use(shape, time);
    if (isAhead) return relabelled;
    const changed = this.#presence.see(this.#present, this.#parts.values(), time);
    return changed.length === 0 ? relabelled : new Set([...relabelled, ...changed]);
  }

  /** Notes a shape that differs from the last one. Returns the known parts that have other labels now. */
  #use(shape: PartShape, time: number): readonly KnownPart[] {
    this.#shape = shape;
    const relabelled: KnownPart[] = [];
    const present: KnownPart[] = [];
    for (const [index, kind] of shape.kinds.entries()) {
      const name = shape.names[index] as string;
      const labels = shape.labels[index] ?? null;
      const hasNumbers = shape.ends[index] !== (shape.ends[index - 1] ?? 0);
      let known = this.#parts.get(partSubject(kind, name));
      if (known === undefined) {
        // Without numbers a part has no series and no row, and no limit would count it here.
        if (!hasNumbers) continue;
        const labelsAt = labels === null ? null : time;
        known = { id: 0, kind, name, labels: labels ?? {}, labelsAt, isGone: false, seenAt: time };
        this.#parts.set(partSubject(kind, name), known);
      } else if (labels !== null && (known.labelsAt === null || known.labelsAt <= time)) {
        if (known.labelsAt === null || !hasSameLabels(known.labels, labels)) {
          known.labels = labels;
          relabelled.push(known);
        }
        known.labelsAt = time;
      }
      if (hasNumbers) present.push(known);
    }
    this.#present = present;
    return relabelled;
  }

  /** The part and the metric of a series. */
  seriesOf(key: string): { part: KnownPart; metric: string } {
    const { subject, metric } = splitSeriesKey(key);
    return { part: this.#parts.get(subject) as KnownPart, metric };
  }

  /** Nothing is later than `time`, ms: the clock of the host was set back to it. */
  setBack(time: number): void {
    this.#presence.setBack(this.#parts.values(), time);
    for (const part of this.#parts.values())
      if (part.labelsAt !== null && part.labelsAt > time) part.labelsAt = time;
  }
}
