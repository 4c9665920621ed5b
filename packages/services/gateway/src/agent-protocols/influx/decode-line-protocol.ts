import { extendHash } from '../points/extend-hash.ts';
import type { PointDecoder, PointSink, SeriesRef } from '../series/point-sink.ts';
import { LineReader } from './line-reader.ts';
import { type LineKey, type RefusedKey, readLineKey, seriesOfField } from './line-series.ts';
import { type LinePrecision, lineTime } from './line-time.ts';

/** How many points or lines are read before other requests are served. */
const TURN = 1_000;

/** Finds the series of the fields of a line by the bytes of its measurement and tags and of the name of each field. */
class LineSeries {
  /** The series of the numeric fields, in their order. */
  readonly series: SeriesRef[] = [];
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #sink: PointSink;

  constructor(bytes: Buffer, sink: PointSink) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#sink = sink;
  }

  /** Finds or describes them; returns why the line is refused, if it is. */
  resolve(line: LineReader): RefusedKey | undefined {
    const bytes = this.#bytes;
    const sink = this.#sink;
    const { hash } = sink;
    const { names, fields } = line;
    hash.begin();
    hash.bytes(this.#view, line.keyStart, line.keyEnd);
    const { high, low } = hash;
    let key: LineKey | undefined;
    for (let field = 0; field < fields; field += 1) {
      const start = names[2 * field] as number;
      const end = names[2 * field + 1] as number;
      extendHash(hash, high, low, 0);
      hash.bytes(this.#view, start, end);
      const found = sink.find(hash.high, hash.low);
      if (found !== undefined) {
        this.series[field] = found;
        continue;
      }
      if (key === undefined) {
        const read = readLineKey(bytes, line.keyStart, line.keyEnd);
        if ('reason' in read) return read;
        key = read;
      }
      const described = seriesOfField(key, bytes, start, end);
      if ('reason' in described) return described;
      this.series[field] = sink.add(hash.high, hash.low, described);
    }
    return undefined;
  }
}

function* decode(
  bytes: Buffer,
  sink: PointSink,
  precision: LinePrecision,
  receivedAt: number,
): Generator<undefined, void, undefined> {
  const line = new LineReader(bytes);
  const found = new LineSeries(bytes, sink);
  let turn = 0;
  while (line.next()) {
    const { timeStart, timeEnd, fields, texts, values } = line;
    let time = receivedAt;
    if (line.fault === undefined && timeEnd > timeStart && fields + texts > 0) {
      time = lineTime(bytes, timeStart, timeEnd, precision);
      if (Number.isNaN(time)) line.refuse('the time is no integer of 64 bits', 'invalid_time');
    }
    if (line.fault === undefined) {
      const refused = found.resolve(line);
      if (refused !== undefined) line.refuse(refused.message, refused.reason);
    }
    turn += 1;
    if (line.fault !== undefined)
      sink.reject(line.reason, Math.max(1, fields + texts), `line ${line.line}: ${line.fault}`);
    else {
      if (texts > 0) sink.omit('text', texts);
      for (let field = 0; field < fields; field += 1) {
        sink.point(found.series[field] as SeriesRef, time, values[field] as number, 0);
        turn += 1;
        if (turn >= TURN) {
          turn = 0;
          yield;
        }
      }
    }
    if (turn >= TURN) {
      turn = 0;
      yield;
    }
  }
}

/**
 * Decodes Influx line protocol whose times are in `precision`; lines without one are of `receivedAt`, ms since the epoch. A
 * faulty line is refused alone, so that no body is malformed as a whole. Texts are left out and not looked at.
 */
export function lineProtocolDecoder(precision: LinePrecision, receivedAt: number): PointDecoder {
  return (bytes, sink) => decode(bytes, sink, precision, receivedAt);
}
