import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import type { PartShape, PartValues } from '@tidewatch/contracts/ingest/part-shape';
import { PartShapes } from '@tidewatch/contracts/ingest/part-shapes';
import type {
  Container,
  Payload,
  ProcessCounts,
  ProcessInfo,
  SampleBatch,
  SampleRecord,
} from '@tidewatch/contracts/ingest/sample';
import { isSameList } from '@tidewatch/contracts/values/lists';
import { RECORD_VERSION, RECORD_VERSION_WITH_PARTS } from './envelope.ts';

/**
 * What a record of the topic of samples holds, packed. Texts and lists of metric names are written once and referred
 * to by number afterwards: 0 announces a new one, n is the n-th. Containers and processes travel as JSON.
 *
 *   record   = value*
 *   value    = 0 at | 1 batch | 2 receipt batch
 *   batch    = organization receivedAt stalledMs count payload*
 *   payload  = host signed(receivedAt - time) names value* flags [tags] [containers] [processes] [parts] [counts]
 *   parts    = 0 shape value* | n value*
 *   counts   = count (name number)*
 *   shape    = count (kind name (0 | 1 labels) count of numbers)* names
 */
const HEARTBEAT = 0;
const SAMPLES = 1;
const SAMPLES_WITH_RECEIPT = 2;
const HAS_TAGS = 1;
const HAS_CONTAINERS = 2;
const HAS_PROCESSES = 4;
/** Both only in records of version 2. */
const HAS_PARTS = 8;
const HAS_PROCESS_COUNTS = 16;

class Dictionary {
  readonly texts = new Map<string, number>();
  readonly names = new Map<string, number>();
  readonly shapes = new Map<PartShape, number>();
  /** The last packed list of metric names and its number: most payloads of a record have the same list. */
  lastNames: readonly string[] = [];
  lastNumber = 0;
}

/** Packs the values of one record in order. Batches of several requests may share a record. */
export class SamplePacker {
  readonly #into: ByteWriter;
  readonly #dictionary = new Dictionary();
  /** The least version of the format that can hold what was added. */
  version = RECORD_VERSION;

  constructor(into: ByteWriter) {
    this.#into = into;
  }

  add(value: SampleRecord): void {
    if (value.kind === 'heartbeat') {
      this.#into.byte(HEARTBEAT);
      this.#into.number(value.at);
    } else {
      this.#into.byte(value.receiptId === undefined ? SAMPLES : SAMPLES_WITH_RECEIPT);
      if (value.receiptId !== undefined) this.#into.text(value.receiptId);
      packBatch(value, this.#into, this.#dictionary);
      const needsParts = ({ parts, processCounts }: Payload) =>
        parts !== undefined || processCounts !== undefined;
      if (value.payloads.some(needsParts)) this.version = RECORD_VERSION_WITH_PARTS;
    }
  }
}

function packBatch(batch: SampleBatch, into: ByteWriter, dictionary: Dictionary): void {
  packText(batch.organizationId, into, dictionary);
  into.number(batch.receivedAt);
  into.number(batch.stalledMs);
  into.varint(batch.payloads.length);
  for (const payload of batch.payloads) packPayload(payload, batch.receivedAt, into, dictionary);
}

function packPayload(payload: Payload, receivedAt: number, into: ByteWriter, dictionary: Dictionary): void {
  packText(payload.host, into, dictionary);
  into.number(receivedAt - payload.time);
  const { metrics, values, tags, containers, processes, parts, processCounts } = payload;
  packNames(metrics, into, dictionary);
  for (const value of values) into.number(value);
  into.byte(
    (tags ? HAS_TAGS : 0) |
      (containers ? HAS_CONTAINERS : 0) |
      (processes ? HAS_PROCESSES : 0) |
      (parts ? HAS_PARTS : 0) |
      (processCounts ? HAS_PROCESS_COUNTS : 0),
  );
  if (tags) packTags(tags, into, dictionary);
  if (containers) into.text(JSON.stringify(containers));
  if (processes) into.text(JSON.stringify(processes));
  if (parts) packParts(parts, into, dictionary);
  if (processCounts) packProcessCounts(processCounts, into, dictionary);
}

function packProcessCounts({ names, counts }: ProcessCounts, into: ByteWriter, dictionary: Dictionary): void {
  into.varint(names.length);
  for (const [index, name] of names.entries()) {
    packText(name, into, dictionary);
    into.varint(counts[index] as number);
  }
}

function packParts({ shape, values }: PartValues, into: ByteWriter, dictionary: Dictionary): void {
  const known = dictionary.shapes.get(shape);
  into.varint(known ?? 0);
  if (known === undefined) {
    dictionary.shapes.set(shape, dictionary.shapes.size + 1);
    packShape(shape, into, dictionary);
  }
  for (const value of values) into.number(value);
}

function packShape(shape: PartShape, into: ByteWriter, dictionary: Dictionary): void {
  into.varint(shape.kinds.length);
  for (const [index, kind] of shape.kinds.entries()) {
    packText(kind, into, dictionary);
    packText(shape.names[index] as string, into, dictionary);
    const labels = shape.labels[index] ?? null;
    into.byte(labels === null ? 0 : 1);
    if (labels !== null) packTags(labels, into, dictionary);
    into.varint((shape.ends[index] as number) - (shape.ends[index - 1] ?? 0));
  }
  packNames(shape.metrics, into, dictionary);
}

function packTags(tags: Readonly<Record<string, string>>, into: ByteWriter, dictionary: Dictionary): void {
  const keys = Object.keys(tags);
  packNames(keys, into, dictionary);
  for (const key of keys) packText(tags[key] as string, into, dictionary);
}

function packText(text: string, into: ByteWriter, { texts }: Dictionary): void {
  const known = texts.get(text);
  into.varint(known ?? 0);
  if (known !== undefined) return;
  texts.set(text, texts.size + 1);
  into.text(text);
}

function packNames(list: readonly string[], into: ByteWriter, dictionary: Dictionary): void {
  if (dictionary.lastNumber > 0 && isSameList(list, dictionary.lastNames)) {
    into.varint(dictionary.lastNumber);
    return;
  }
  // Joins names by NUL, which no name contains, so that different lists give different texts.
  const joined = list.join('\0');
  const known = dictionary.names.get(joined);
  dictionary.lastNames = list;
  dictionary.lastNumber = known ?? dictionary.names.size + 1;
  into.varint(known ?? 0);
  if (known !== undefined) return;
  dictionary.names.set(joined, dictionary.lastNumber);
  into.varint(list.length);
  for (const name of list) packText(name, into, dictionary);
}

interface Read {
  reader: ByteReader;
  texts: string[];
  names: (readonly string[])[];
  shapes: PartShape[];
}

/** The values of a record in their order. Throws MalformedBytesError for bytes that SamplePacker did not write. */
export function unpackSamples(bytes: Buffer): SampleRecord[] {
  const read: Read = { reader: new ByteReader(bytes), texts: [], names: [], shapes: [] };
  const values: SampleRecord[] = [];
  while (!read.reader.isAtEnd) {
    const kind = read.reader.byte();
    if (kind === HEARTBEAT) values.push({ kind: 'heartbeat', at: read.reader.number() });
    else if (kind === SAMPLES) values.push(unpackBatch(read));
    else if (kind === SAMPLES_WITH_RECEIPT)
      values.push({ receiptId: read.reader.text(), ...unpackBatch(read) });
    else throw new MalformedBytesError(`a value of the unknown kind ${kind}`);
  }
  return values;
}

function unpackBatch(read: Read): SampleBatch {
  const { reader } = read;
  const organizationId = unpackText(read);
  const receivedAt = reader.number();
  const stalledMs = reader.number();
  const payloads: Payload[] = [];
  for (let left = reader.count(); left > 0; left -= 1) payloads.push(unpackPayload(read, receivedAt));
  return { kind: 'samples', organizationId, receivedAt, stalledMs, payloads };
}

function unpackPayload(read: Read, receivedAt: number): Payload {
  const { reader } = read;
  const host = unpackText(read);
  const time = receivedAt - reader.number();
  const metrics = unpackNames(read, sharedList);
  const values = new Array<number>(metrics.length);
  for (let index = 0; index < values.length; index += 1) values[index] = reader.number();
  const payload: Payload = { host, time, metrics, values };
  const flags = reader.byte();
  if (flags & HAS_TAGS) payload.tags = unpackTags(read);
  if (flags & HAS_CONTAINERS) payload.containers = JSON.parse(reader.text()) as Container[];
  if (flags & HAS_PROCESSES) payload.processes = JSON.parse(reader.text()) as ProcessInfo[];
  if (flags & HAS_PARTS) payload.parts = unpackParts(read, host);
  if (flags & HAS_PROCESS_COUNTS) payload.processCounts = unpackProcessCounts(read);
  return payload;
}

function unpackProcessCounts(read: Read): ProcessCounts {
  const [names, counts]: [string[], number[]] = [[], []];
  for (let left = read.reader.count(); left > 0; left -= 1) {
    names.push(unpackText(read));
    counts.push(read.reader.varint());
  }
  return { names, counts };
}

const shapes = new PartShapes();

function unpackParts(read: Read, host: string): PartValues {
  const reference = read.reader.varint();
  let shape = read.shapes[reference - 1];
  if (reference === 0) {
    shape = unpackShape(read, host);
    read.shapes.push(shape);
  }
  if (shape === undefined) throw new MalformedBytesError('a reference to unknown parts');
  const values = new Array<number>(shape.metrics.length);
  for (let index = 0; index < values.length; index += 1) values[index] = read.reader.number();
  return { shape, values };
}

function unpackShape(read: Read, host: string): PartShape {
  const { reader } = read;
  const [kinds, names, ends]: [string[], string[], number[]] = [[], [], []];
  const labels: (Record<string, string> | null)[] = [];
  let end = 0;
  for (let left = reader.count(); left > 0; left -= 1) {
    kinds.push(unpackText(read));
    names.push(unpackText(read));
    labels.push(reader.byte() === 0 ? null : unpackTags(read));
    end += reader.count();
    ends.push(end);
  }
  const metrics = unpackNames(read, sharedList);
  if (metrics.length !== end) throw new MalformedBytesError('parts with another number of metrics');
  return shapes.of(host, { kinds, names, labels, ends, metrics });
}

function unpackTags(read: Read): Record<string, string> {
  const names = unpackNames(read, ownList);
  // `fromEntries` treats `__proto__` as an ordinary name.
  return Object.fromEntries(names.map((name) => [name, unpackText(read)]));
}

function unpackText({ reader, texts }: Read): string {
  const reference = reader.varint();
  if (reference === 0) {
    const text = reader.text();
    texts.push(text);
    return text;
  }
  const known = texts[reference - 1];
  if (known === undefined)
    throw new MalformedBytesError('the record refers to a text that it does not contain');
  return known;
}

function unpackNames(read: Read, shared: (names: readonly string[]) => readonly string[]): readonly string[] {
  const reference = read.reader.varint();
  if (reference === 0) {
    const names: string[] = [];
    for (let left = read.reader.count(); left > 0; left -= 1) names.push(unpackText(read));
    const list = shared(names);
    read.names.push(list);
    return list;
  }
  const known = read.names[reference - 1];
  if (known === undefined) throw new MalformedBytesError('a reference to an unknown list of names');
  return known;
}

/** Lists of metric names in recent records. Equal lists share one array, so that later steps can compare by identity. */
const lists = new Map<string, readonly string[]>();
const MAX_LISTS = 256;

function sharedList(names: readonly string[]): readonly string[] {
  const joined = names.join('\0');
  const known = lists.get(joined);
  if (known !== undefined) return known;
  if (lists.size === MAX_LISTS) lists.clear();
  lists.set(joined, names);
  return names;
}

const ownList = (names: readonly string[]): readonly string[] => names;
