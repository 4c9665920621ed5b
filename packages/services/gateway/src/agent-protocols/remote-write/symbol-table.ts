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
const TURN = 10_000;

/** Of so many symbols lengths and hashes are known at once, which take 768 KiB: more than any sender puts into a request. */
const MAX_HASHES = 65_536;

/** Symbols are only remembered if they are shorter: hashing as many takes a fifth of a millisecond. */
const MAX_LEADING_BYTES = 262_144;

/** Where the symbols of a body lie, and their hashes. Kept for the next body, since allocating and collecting arrays of their size is costly. */
class SymbolArrays {
  /** Where the length of each symbol lies. */
  positions = new Uint32Array(1_024);
  /** The lengths of the first symbols, and two halves of the hash of each. */
  lengths = new Uint32Array(1_024);
  hashes = new Int32Array(2_048);

  /** Makes room for one more symbol than `count`. Memory is in proportion to the symbols, since many bodies may be decoded at once. */
  reserve(count: number): void {
    if (count < this.positions.length) return;
    const known = Math.min(2 * count, MAX_HASHES);
    if (this.lengths.length < known) {
      this.lengths = enlarged(this.lengths, new Uint32Array(known));
      this.hashes = enlarged(this.hashes, new Int32Array(2 * known));
    }
    this.positions = enlarged(this.positions, new Uint32Array(2 * count));
  }
}

function enlarged<A extends Uint32Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** The arrays that no body uses, at most one. A body that is decoded while another waits for its turn allocates its own. */
const free: SymbolArrays[] = [];

/** The texts of a body of remote write 2.0, which its series refer to by number. They may stand anywhere in the body. */
export class SymbolTable {
  readonly #reader: ProtobufReader;
  readonly #hash: SeriesHash;
  readonly #arrays = free.pop() ?? new SymbolArrays();
  #count = 0;
  /** How many of the first symbols have a length and a hash. */
  #known = 0;
  #isLoaded = false;
  /** Where the symbols end that the body begins with. */
  #leadingEnd = 0;
  /** Where the symbol that `find` found lies. */
  start = 0;
  end = 0;

  /** `hash` is this object's own. `release` comes last. */
  constructor(bytes: Buffer, hash: SeriesHash) {
    this.#reader = new ProtobufReader(bytes);
    this.#hash = hash;
  }

  /**
   * Hashes the symbols that the body begins with, which need not be loaded. Returns false if no series follows them, and for more
   * than senders put into a request.
   */
  hashLeading(hash: SeriesHash): boolean {
    const { bytes, view } = this.#reader;
    let at = 0;
    while (at + 2 < bytes.length && bytes[at] === SYMBOLS) {
      const length = bytes[at + 1] as number;
      const more = bytes[at + 2] as number;
      if (length < 0x80) at += 2 + length;
      else if (more < 0x80) at += 3 + (length & 0x7f) + (more << 7);
      else return false;
    }
    if (at === 0 || at > MAX_LEADING_BYTES || at >= bytes.length || bytes[at] !== SERIES) return false;
    this.#leadingEnd = at;
    hash.begin();
    hash.bytes(view, 0, at);
    return true;
  }

  /** Finds all symbols of the body, if that was not done before; yields so that other requests are served meanwhile. */
  *load(): Generator<undefined, void, undefined> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const reader = this.#reader;
    for (let fields = 1; reader.at < reader.end; fields += 1) {
      if (fields % TURN === 0) yield;
      const tag = reader.tag();
      if (tag === SERIES) reader.pass();
      else if (tag === SYMBOLS) this.#add();
      else this.pass(reader, tag);
    }
    if (this.find(0) && this.start < this.end)
      throw new MalformedBodyError('The first entry of symbols must be an empty text.');
  }

  /** Moves behind a field of the body that is no series. Throws `MalformedBodyError` for one of version 1.0. */
  pass(reader: ProtobufReader, tag: number): void {
    if (tag === SERIES_1 || tag === METADATA_1)
      throw new MalformedBodyError(
        'The body is of remote write 1.0. Say so: Content-Type: application/x-protobuf;proto=prometheus.WriteRequest.',
      );
    reader.skip(tag, tag === SYMBOLS ? 0 : FIELDS);
  }

  /** Gives the arrays to the next body. */
  release(): void {
    if (this.#arrays.positions.length <= MAX_HASHES && free.length === 0) free.push(this.#arrays);
  }

  /** Sets `start` and `end` to where a symbol lies; returns whether there is one with this number. */
  find(reference: number): boolean {
    if (reference >= this.#count) return false;
    const reader = this.#reader;
    reader.move(this.#arrays.positions[reference] as number, reader.bytes.length);
    reader.enter();
    this.start = reader.at;
    this.end = reader.end;
    return true;
  }

  /** Whether all symbols are among those that the body begins with. */
  get areAllLeading(): boolean {
    return this.#count > 0 && (this.#arrays.positions[this.#count - 1] as number) < this.#leadingEnd;
  }

  /** The number of bytes of a symbol; -1 if there is none with this number. */
  lengthOf(reference: number): number {
    if (reference < this.#known) return this.#arrays.lengths[reference] as number;
    return this.find(reference) ? this.end - this.start : -1;
  }

  /** The number of bytes of symbols, as often as they are referred to; -1 if one of them was not sent or is hashed each time. */
  lengthOfKnown(references: Uint32Array, count: number): number {
    const { lengths } = this.#arrays;
    const known = this.#known;
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      const reference = references[index] as number;
      if (reference >= known) return -1;
      sum += lengths[reference] as number;
    }
    return sum;
  }

  /** Adds symbols of which `lengthOfKnown` knows the length. */
  addKnown(hash: SeriesHash, references: Uint32Array, count: number): void {
    hash.numbersOf(this.#arrays.hashes, references, count);
  }

  /** Adds a symbol, which was sent. */
  addTo(hash: SeriesHash, reference: number): void {
    if (reference < this.#known) {
      const { hashes } = this.#arrays;
      hash.twoNumbers(hashes[2 * reference] as number, hashes[2 * reference + 1] as number);
      return;
    }
    this.find(reference);
    this.#hashFound();
    hash.twoNumbers(this.#hash.high, this.#hash.low);
  }

  /** The text of a symbol; empty if there is none with this number. */
  text(reference: number): string {
    return this.find(reference) ? this.#reader.text(this.start, this.end) : '';
  }

  /** Adds the symbol whose length is read next. Labels refer to the first ones many times, so that these are hashed at once. */
  #add(): void {
    const arrays = this.#arrays;
    const reader = this.#reader;
    const count = this.#count;
    arrays.reserve(count);
    arrays.positions[count] = reader.at;
    const outer = reader.enter();
    if (count < MAX_HASHES) {
      this.start = reader.at;
      this.end = reader.end;
      this.#hashFound();
      arrays.lengths[count] = this.end - this.start;
      arrays.hashes[2 * count] = this.#hash.high;
      arrays.hashes[2 * count + 1] = this.#hash.low;
      this.#known = count + 1;
    }
    reader.leave(outer);
    this.#count = count + 1;
  }

  #hashFound(): void {
    this.#hash.begin();
    this.#hash.bytes(this.#reader.view, this.start, this.end);
  }
}
