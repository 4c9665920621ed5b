import { BOUNDS, type Payload } from '@tidewatch/contracts/ingest/sample';
import type { BodyForm } from './body-form.ts';
import {
  COLON,
  COMMA,
  Cursor,
  LINE_FEED,
  LIST,
  LIST_END,
  NOTHING,
  OBJECT,
  OBJECT_END,
  QUOTE,
  wordOf,
} from './cursor.ts';
import { NameLists, type NamePlace, namesUpTo } from './name-lists.ts';
import { FurtherMemberScanner, type FurtherMembers } from './scanned-members/further-members.ts';
import { type MapBounds, TextReader } from './scanned-members/text-reader.ts';
import { TimeReader } from './time-reader.ts';

/** The payloads of a body, and whether it may have several. */
export interface ScannedBody {
  payloads: Payload[];
  isList: boolean;
}

const HOST = wordOf('host"');
const TIMESTAMP = wordOf('timestamp"');
const METRICS = wordOf('metrics"');
const TAGS = wordOf('tags"');
const TAG_BOUNDS: MapBounds = { entries: BOUNDS.tags, name: BOUNDS.tagName, value: BOUNDS.tagValue };

/**
 * Reads payloads directly from the bytes of a body, without the objects and texts that `JSON.parse` would create. Only
 * reads common bodies without faults; for any other body returns null, and the body is parsed.
 */
export class BodyScanner {
  readonly #cursor = new Cursor();
  readonly #lists = new NameLists();
  readonly #texts = new TextReader(this.#cursor);
  readonly #further = new FurtherMemberScanner(this.#cursor, this.#texts);
  readonly #times = new TimeReader();
  readonly #scratch = new Float64Array(BOUNDS.metrics);
  #receivedAt = 0;
  #firstName: NamePlace = this.#lists.begin();
  /** The names of the metrics that were read last. */
  #names: readonly string[] = [];

  /** Returns the payloads of a common body without faults; null where the body must be parsed. */
  scan(bytes: Buffer, form: BodyForm, receivedAt: number): ScannedBody | null {
    const cursor = this.#cursor;
    cursor.begin(bytes);
    this.#receivedAt = receivedAt;
    this.#firstName = this.#lists.begin();
    const payloads: Payload[] = [];
    const isList = form === 'ndjson' || cursor.next() === LIST;
    const complete = form === 'ndjson' ? this.#lines(payloads) : this.#document(payloads);
    cursor.begin(NOTHING);
    return complete && payloads.length > 0 ? { payloads, isList } : null;
  }

  #document(payloads: Payload[]): boolean {
    if (!this.#cursor.take(LIST)) return this.#payload(payloads) && this.#isOver();
    for (;;) {
      if (!this.#payload(payloads)) return false;
      if (this.#cursor.take(LIST_END)) return this.#isOver();
      if (!this.#cursor.take(COMMA)) return false;
    }
  }

  #lines(payloads: Payload[]): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    for (let start = 0; start < bytes.length; start = cursor.end + 1) {
      while (bytes[start] === LINE_FEED) start += 1;
      const feed = bytes.indexOf(LINE_FEED, start);
      cursor.end = feed === -1 ? bytes.length : feed;
      cursor.at = start;
      if (this.#isOver()) continue;
      if (!this.#payload(payloads) || !this.#isOver()) return false;
    }
    return true;
  }

  #isOver(): boolean {
    this.#cursor.next();
    return this.#cursor.at === this.#cursor.end;
  }

  #payload(payloads: Payload[]): boolean {
    const cursor = this.#cursor;
    if (payloads.length === BOUNDS.payloads || !cursor.take(OBJECT)) return false;
    let host: string | null = null;
    let time: number | null = null;
    let tags: Record<string, string> | null = null;
    let values: number[] | null = null;
    let further: FurtherMembers | null = null;
    do {
      if (!cursor.take(QUOTE)) return false;
      if (host === null && cursor.takeWord(HOST)) {
        if (!cursor.take(COLON)) return false;
        host = this.#texts.text(1, BOUNDS.host);
        if (host === null) return false;
      } else if (values === null && cursor.takeWord(METRICS)) {
        values = this.#metrics();
        if (values === null) return false;
      } else if (time === null && cursor.takeWord(TIMESTAMP)) {
        time = this.#time();
        if (time === null) return false;
      } else if (tags === null && cursor.takeWord(TAGS)) {
        tags = this.#texts.map(TAG_BOUNDS);
        if (tags === null) return false;
      } else {
        further ??= {};
        if (!this.#further.read(host, further)) return false;
      }
    } while (cursor.take(COMMA));
    if (host === null || values === null || !cursor.take(OBJECT_END)) return false;
    const payload: Payload = { host, time: time ?? this.#receivedAt, metrics: this.#names, values };
    if (tags !== null) payload.tags = tags;
    if (further !== null) addFurther(payload, further);
    payloads.push(payload);
    return true;
  }

  #time(): number | null {
    const cursor = this.#cursor;
    if (!cursor.take(COLON) || !cursor.take(QUOTE)) return null;
    const start = cursor.at;
    const end = cursor.endOfText();
    if (end === -1) return null;
    cursor.at = end + 1;
    const time = this.#times.read(cursor.bytes, start, end);
    return time >= BOUNDS.earliestTime && time <= this.#receivedAt + BOUNDS.aheadMs ? time : null;
  }

  /** Reads the metrics: returns their values and sets `#names`. */
  #metrics(): number[] | null {
    const cursor = this.#cursor;
    const scratch = this.#scratch;
    let place: NamePlace | null = this.#firstName;
    let apart: Set<string> | null = null;
    let count = 0;
    if (!cursor.take(COLON) || !cursor.take(OBJECT)) return null;
    if (!cursor.take(OBJECT_END)) {
      do {
        if (count === BOUNDS.metrics || !cursor.isAt(QUOTE)) return null;
        const usual: NamePlace | null = place === null ? null : place.next;
        if (usual !== null && cursor.takeWord(usual.word)) place = usual;
        else {
          const name = this.#texts.text(1, BOUNDS.metricName);
          if (name === null || !cursor.take(COLON)) return null;
          const next: NamePlace | null = place === null ? null : this.#lists.go(place, name);
          if (next === null) {
            apart ??= new Set(namesUpTo(place as NamePlace));
            if (apart.has(name)) return null;
            apart.add(name);
          }
          place = next;
        }
        const value = cursor.number();
        if (!Number.isFinite(value)) return null;
        scratch[count] = value;
        count += 1;
      } while (cursor.take(COMMA));
      if (!cursor.take(OBJECT_END)) return null;
    }
    this.#names = place === null ? [...(apart as Set<string>)] : this.#lists.listOf(place);
    const values = new Array<number>(count);
    for (let index = 0; index < count; index += 1) values[index] = scratch[index] as number;
    return values;
  }
}

/** Adds them in the order of the parser, so that payloads of both have the same hidden classes. */
function addFurther(payload: Payload, further: FurtherMembers): void {
  const { containers, processes, processCounts, parts } = further;
  if (containers !== undefined) payload.containers = containers;
  if (processes !== undefined) payload.processes = processes;
  if (processCounts !== undefined) payload.processCounts = processCounts;
  if (parts !== undefined) payload.parts = parts;
}

const scanner = new BodyScanner();

/** Returns the payloads of a common body without faults; null where the body must be parsed. */
export function scanBody(bytes: Buffer, form: BodyForm, receivedAt: number): ScannedBody | null {
  return scanner.scan(bytes, form, receivedAt);
}
