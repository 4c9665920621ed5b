import { PART_BOUNDS, PART_TEXTS, partKindFault } from '@tidewatch/contracts/ingest/part';
import type { PartValues } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import { COLON, COMMA, type Cursor, LIST_END, OBJECT, OBJECT_END } from '../cursor.ts';
import { PartLists, shapes } from '../part-lists.ts';
import { type KnownParts, KnownPartsOfHosts } from './known-parts.ts';
import type { TextReader } from './text-reader.ts';

/** Whether a field of a part is none of its numbers. */
const isText = (field: string) => (PART_TEXTS as readonly string[]).includes(field);

const LABELS = {
  entries: PART_BOUNDS.labels,
  name: PART_BOUNDS.labelName,
  value: PART_BOUNDS.labelValue,
} as const;

/**
 * Reads `parts` from the bytes of a body. A host mostly sends the same parts again, so that the bytes between the numbers are
 * those of its last payload: then these are compared and the numbers read. Any other list is read member by member.
 */
export class PartScanner {
  readonly #cursor: Cursor;
  readonly #texts: TextReader;
  readonly #known = new KnownPartsOfHosts();
  readonly #scratch = new Float64Array(PART_BOUNDS.series);
  /** Where the numbers of the list that is read begin and end. */
  readonly #places: number[] = [];

  constructor(cursor: Cursor, texts: TextReader) {
    this.#cursor = cursor;
    this.#texts = texts;
  }

  /** Reads a list with parts after its opening bracket; null where it must be parsed. */
  read(host: string): PartValues | null {
    const start = this.#cursor.at;
    const known = this.#known.get(host);
    if (known !== undefined && this.#isRepeated(known)) {
      const values = new Array<number>(known.cuts.length);
      for (let index = 0; index < values.length; index += 1) values[index] = this.#scratch[index] as number;
      return { shape: known.shape, values };
    }
    this.#cursor.at = start;
    return this.#list(host, start);
  }

  /** Whether the list has the bytes of a known one around its numbers, which are read into `#scratch`. */
  #isRepeated({ bytes, cuts }: KnownParts): boolean {
    const cursor = this.#cursor;
    let from = 0;
    for (let index = 0; index < cuts.length; index += 1) {
      const cut = cuts[index] as number;
      if (!cursor.takeBytes(bytes, from, cut)) return false;
      const value = cursor.number();
      if (!Number.isFinite(value)) return false;
      this.#scratch[index] = value;
      from = cut;
    }
    return cursor.takeBytes(bytes, from, bytes.byteLength);
  }

  #list(host: string, start: number): PartValues | null {
    const cursor = this.#cursor;
    const lists = new PartLists();
    const subjects = new Set<string>();
    this.#places.length = 0;
    do {
      const index = lists.kinds.length;
      if (index === PART_BOUNDS.parts || !this.#part(lists)) return null;
      subjects.add(partSubject(lists.kinds[index] as string, lists.names[index] as string));
      if (subjects.size === index) return null;
    } while (cursor.take(COMMA));
    if (!cursor.take(LIST_END)) return null;
    const { values, ...made } = lists;
    const shape = shapes.of(host, made);
    this.#known.set(host, { shape, ...this.#withoutNumbers(start) });
    return { shape, values };
  }

  #part(lists: PartLists): boolean {
    const cursor = this.#cursor;
    const first = lists.metrics.length;
    let kind: string | null = null;
    let name: string | null = null;
    let labels: Record<string, string> | null = null;
    if (!cursor.take(OBJECT)) return false;
    do {
      const field = this.#texts.text(1, PART_BOUNDS.metricName);
      if (field === 'kind' && kind === null) {
        kind = this.#textOf(PART_BOUNDS.kind);
        if (kind === null) return false;
      } else if (field === 'name' && name === null) {
        name = this.#textOf(PART_BOUNDS.name);
        if (name === null) return false;
      } else if (field === 'labels' && labels === null) {
        labels = this.#texts.map(LABELS);
        if (labels === null) return false;
      } else if (field === null || isText(field) || !this.#number(field, lists, first)) return false;
    } while (cursor.take(COMMA));
    if (kind === null || name === null || partKindFault(kind) !== undefined) return false;
    if (!cursor.take(OBJECT_END)) return false;
    lists.kinds.push(kind);
    lists.names.push(name);
    lists.labels.push(labels);
    lists.ends.push(lists.values.length);
    return true;
  }

  #textOf(max: number): string | null {
    return this.#cursor.take(COLON) ? this.#texts.text(1, max) : null;
  }

  /** Reads a number of the part whose numbers begin at `first`. */
  #number(metric: string, { metrics, values }: PartLists, first: number): boolean {
    const cursor = this.#cursor;
    if (values.length === PART_BOUNDS.series || values.length - first === PART_BOUNDS.metrics) return false;
    if (metrics.includes(metric, first) || !cursor.take(COLON)) return false;
    this.#places.push(cursor.at);
    const value = cursor.number();
    if (!Number.isFinite(value)) return false;
    this.#places.push(cursor.at);
    metrics.push(metric);
    values.push(value);
    return true;
  }

  /** The bytes from `start` to here without the numbers, copied, since the buffer of a body is used again. */
  #withoutNumbers(start: number): Pick<KnownParts, 'bytes' | 'cuts'> {
    const { bytes, at: end } = this.#cursor;
    const places = this.#places;
    let numbers = 0;
    for (let index = 0; index < places.length; index += 2)
      numbers += (places[index + 1] as number) - (places[index] as number);
    const kept = new Uint8Array(end - start - numbers);
    const cuts: number[] = [];
    let from = start;
    let at = 0;
    for (let index = 0; index < places.length; index += 2) {
      kept.set(bytes.subarray(from, places[index]), at);
      at += (places[index] as number) - from;
      cuts.push(at);
      from = places[index + 1] as number;
    }
    kept.set(bytes.subarray(from, end), at);
    return { bytes: new DataView(kept.buffer), cuts };
  }
}
