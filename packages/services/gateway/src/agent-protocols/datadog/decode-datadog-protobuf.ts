import type { RefusedSeries } from '../points/refused-series.ts';
import { omitValue } from '../points/value-point.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import type { SentSeries } from '../series/sent-series.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import { describeDatadog, MAX_TAGS, TOO_MANY_TAGS } from './datadog-series.ts';
import { seriesTypeOf } from './series-types.ts';

/** How many points or series are read before other requests are served. */
const TURN = 1_000;
/** Begins the hashes of this encoding, so that none is that of another one's bytes. */
const PROTOCOL_CODE = 6;

const SERIES = 10;
const RESOURCE = 10;
const METRIC = 18;
const TAG = 26;
const POINT = 34;
const TYPE = 40;
const UNIT = 50;
const INTERVAL = 64;
/** Fields of a series that say nothing of what it is: the name of its source, and metadata. */
const OTHERS = new Set([58, 74]);
const FIELDS = knownFields(1, 2, 3, 4, 5, 6, 8);

/** How many tags are read before other requests are served, of a series that has too many. */
const TAGS_TURN = 20_000;

/**
 * Reads series of the message `MetricPayload`. For each series `begin`, then `scan` as long as it returns true, each time after other
 * requests were served, finds what names it; `texts` decodes that where the series is new.
 */
class SeriesFields {
  type = 0;
  /** Milliseconds; 0 if unknown. */
  interval = 0;
  points = 0;
  #tags = 0;
  readonly #reader: ProtobufReader;

  constructor(reader: ProtobufReader) {
    this.#reader = reader;
  }

  /** Begins with the series to which reading is limited. */
  begin(sink: PointSink): void {
    this.type = 0;
    this.interval = 0;
    this.points = 0;
    this.#tags = 0;
    sink.hash.begin();
    sink.hash.number(PROTOCOL_CODE);
  }

  /** Whether tags and resources are too many, so that their hash is none and they are not decoded. */
  get hasTooManyTags(): boolean {
    return this.#tags > MAX_TAGS;
  }

  /**
   * Hashes what names the series, and counts its points. Returns true before its end if other requests have to be served first, which
   * happens only once the tags are too many.
   */
  scan(sink: PointSink): boolean {
    const reader = this.#reader;
    const { hash } = sink;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === POINT) {
        this.points += 1;
        reader.pass();
      } else if (tag === RESOURCE || tag === METRIC || tag === TAG || tag === UNIT) {
        if (tag === RESOURCE || tag === TAG) this.#tags += 1;
        const outer = reader.enter();
        if (!this.hasTooManyTags) {
          hash.number(tag);
          hash.bytes(reader.view, reader.at, reader.end);
        }
        reader.leave(outer);
        if (this.#tags > 0 && this.#tags % TAGS_TURN === 0) return true;
      } else if (tag === TYPE) this.type = reader.uint32();
      else if (tag === INTERVAL) this.interval = Math.max(0, reader.int64()) * 1_000;
      else reader.skip(tag, OTHERS.has(tag) ? 0 : FIELDS);
    }
    hash.number(this.type);
    return false;
  }

  /** What names the series, whose fields are read again. */
  texts(): { metric: string; host: string; device: string; tags: string[]; unit: string } {
    const reader = this.#reader;
    const read = { metric: '', host: '', device: '', tags: [] as string[], unit: '' };
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === RESOURCE) {
        const { type, name } = this.#resource();
        if (type === 'host') read.host = name;
        else if (type === 'device') read.device = name;
      } else if (tag === METRIC) read.metric = this.#text();
      else if (tag === TAG) read.tags.push(this.#text());
      else if (tag === UNIT) read.unit = this.#text();
      else reader.skip(tag);
    }
    return read;
  }

  #resource(): { type: string; name: string } {
    const reader = this.#reader;
    const outer = reader.enter();
    const resource = { type: '', name: '' };
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 10) resource.type = this.#text();
      else if (tag === 18) resource.name = this.#text();
      else reader.skip(tag, knownFields(1, 2));
    }
    reader.leave(outer);
    return resource;
  }

  #text(): string {
    const reader = this.#reader;
    const outer = reader.enter();
    const text = reader.text(reader.at, reader.end);
    reader.leave(outer);
    return text;
  }
}

/** Finds or describes the series that was scanned and begins at `at`; undefined if it is refused. */
function seriesOf(
  reader: ProtobufReader,
  at: number,
  fields: SeriesFields,
  sink: PointSink,
): SeriesRef | undefined {
  const { end } = reader;
  const { high, low } = sink.hash;
  reader.move(at, end);
  const found = fields.hasTooManyTags ? undefined : sink.find(high, low);
  if (found !== undefined) return found;
  const described = describe(fields);
  reader.move(at, end);
  if (!('reason' in described)) return sink.add(high, low, described);
  sink.reject(described.reason, Math.max(1, fields.points), described.example);
  return undefined;
}

function describe(fields: SeriesFields): SentSeries | RefusedSeries {
  if (fields.hasTooManyTags) return TOO_MANY_TAGS;
  const type = seriesTypeOf(fields.type);
  if (type === undefined)
    return { reason: 'unsupported_type', example: `a series of the type ${fields.type}` };
  return describeDatadog({ ...fields.texts(), type });
}

/** Reads one point, whose length is next. */
function readPoint(reader: ProtobufReader, fields: SeriesFields, sink: PointSink, series: SeriesRef): void {
  const outer = reader.enter();
  let value = 0;
  let time = 0;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === 9) value = reader.double();
    else if (tag === 16) time = reader.int64() * 1_000;
    else reader.skip(tag, knownFields(1, 2));
  }
  reader.leave(outer);
  const isDelta = fields.type === 1 && fields.interval > 0;
  if (Number.isFinite(value)) sink.point(series, time, value, isDelta ? time - fields.interval : 0);
  else omitValue(sink, value);
}

/** Decodes the protobuf of Datadog's `/api/v2/series` (`MetricPayload`). A faulty series is refused alone. */
export function* decodeDatadogProtobuf(
  bytes: Buffer,
  sink: PointSink,
): Generator<undefined, void, undefined> {
  const reader = new ProtobufReader(bytes);
  const fields = new SeriesFields(reader);
  let turn = 0;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== SERIES) {
      reader.skip(tag, knownFields(1));
      continue;
    }
    const outer = reader.enter();
    const { at } = reader;
    fields.begin(sink);
    while (fields.scan(sink)) yield;
    const series = seriesOf(reader, at, fields, sink);
    turn += 1;
    while (series !== undefined && reader.at < reader.end) {
      const field = reader.tag();
      if (field === POINT) {
        readPoint(reader, fields, sink, series);
        turn += 1;
      } else reader.skip(field);
      if (turn >= TURN) {
        turn = 0;
        yield;
      }
    }
    reader.leave(outer);
    if (turn >= TURN) {
      turn = 0;
      yield;
    }
  }
}
