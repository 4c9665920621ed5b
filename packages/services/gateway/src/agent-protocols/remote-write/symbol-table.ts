import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import type { SeriesHash } from '../wire/series-hash.ts';

const SYMBOLS = 34;
const SERIES = 42;
const FIELDS = knownFields(4, 5);
/** Fields of a body of version 1.0. */
const SERIES_1 = 10;
const METADATA_1 = 26;

/** How many fields are read before other requests are served. */
const TURN = 20_000;

/** Of so many symbols lengths and hashes are kept, which take 768 KiB: more than any sender puts into a request. */
const MAX_HASHES = 65_536;

/** Calls back for each symbol with where its length lies. */
function* eachSymbol(bytes: Buffer, call: (at: number) => void): Generator<undefined, void, undefined> {
  const reader = new ProtobufReader(bytes);
  for (let fields = 1; reader.at < reader.end; fields += 1) {
    if (fields % TURN === 0) yield;
    const tag = reader.tag();
    if (tag === SERIES) reader.pass();
    else if (tag === SYMBOLS) {
      call(reader.at);
      reader.pass();
    } else if (tag === SERIES_1 || tag === METADATA_1)
      throw new MalformedBodyError(
        'The body is of remote write 1.0. Say so: Content-Type: application/x-protobuf;proto=prometheus.WriteRequest.',
      );
    else reader.skip(tag, FIELDS);
  }
}

/** The texts of a body of remote write 2.0, which its series refer to by number. They may stand anywhere in the body. */
export class SymbolTable {
  readonly #reader: ProtobufReader;
  readonly #hash: SeriesHash;
  #positions = new Uint32Array(0);
  /** The lengths of the first symbols, and two halves of the hash of each. */
  #lengths = new Uint32Array(0);
  #hashes = new Int32Array(0);
  /** Where the symbol that `find` found lies. */
  start = 0;
  end = 0;

  /** `hash` is this object's own. */
  constructor(bytes: Buffer, hash: SeriesHash) {
    this.#reader = new ProtobufReader(bytes);
    this.#hash = hash;
  }

  /** Finds all symbols of the body; yields so that other requests are served meanwhile. */
  *load(): Generator<undefined, void, undefined> {
    const { bytes } = this.#reader;
    let count = 0;
    yield* eachSymbol(bytes, () => {
      count += 1;
    });
    const positions = new Uint32Array(count);
    let index = 0;
    yield* eachSymbol(bytes, (at) => {
      positions[index] = at;
      index += 1;
    });
    this.#positions = positions;
    yield* this.#computeHashes(Math.min(count, MAX_HASHES));
    if (this.find(0) && this.start < this.end)
      throw new MalformedBodyError('The first entry of symbols must be an empty text.');
  }

  /** Sets `start` and `end` to where a symbol lies; returns whether there is one with this number. */
  find(reference: number): boolean {
    const position = this.#positions[reference];
    if (position === undefined) return false;
    const reader = this.#reader;
    reader.move(position, reader.bytes.length);
    reader.enter();
    this.start = reader.at;
    this.end = reader.end;
    return true;
  }

  /** The number of bytes of a symbol; -1 if there is none with this number. */
  lengthOf(reference: number): number {
    if (reference < this.#lengths.length) return this.#lengths[reference] as number;
    return this.find(reference) ? this.end - this.start : -1;
  }

  /** Adds a symbol, which was sent. */
  addTo(hash: SeriesHash, reference: number): void {
    const known = 2 * reference;
    if (known < this.#hashes.length) {
      hash.number(this.#hashes[known] as number);
      hash.number(this.#hashes[known + 1] as number);
      return;
    }
    this.find(reference);
    this.#hashFound();
    hash.number(this.#hash.high);
    hash.number(this.#hash.low);
  }

  /** The text of a symbol; empty if there is none with this number. */
  text(reference: number): string {
    return this.find(reference) ? this.#reader.text(this.start, this.end) : '';
  }

  /** Computes the lengths and hashes of the first `count` symbols: labels refer to each many times. */
  *#computeHashes(count: number): Generator<undefined, void, undefined> {
    const lengths = new Uint32Array(count);
    const hashes = new Int32Array(2 * count);
    for (let reference = 0; reference < count; reference += 1) {
      if (reference % TURN === TURN - 1) yield;
      this.find(reference);
      this.#hashFound();
      lengths[reference] = this.end - this.start;
      hashes[2 * reference] = this.#hash.high;
      hashes[2 * reference + 1] = this.#hash.low | 0;
    }
    this.#lengths = lengths;
    this.#hashes = hashes;
  }

  #hashFound(): void {
    this.#hash.begin();
    this.#hash.bytes(this.#reader.view, this.start, this.end);
  }
}
