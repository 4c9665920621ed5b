import type { ProtobufReader } from '../wire/protobuf-reader.ts';

/** Collects numbers of which only the first ones are kept, so that memory is bounded; all of them are counted. */
export class NumberList {
  /** Not emptied by `clear`, so that its memory serves the next numbers; `length` says how many of it count. */
  readonly #kept: number[] = [];
  /** How many numbers were added. */
  length = 0;
  readonly #max: number;
  #isAscending = true;
  #previous = Number.NEGATIVE_INFINITY;

  constructor(max: number) {
    this.#max = max;
  }

  clear(): void {
    this.length = 0;
    this.#isAscending = true;
    this.#previous = Number.NEGATIVE_INFINITY;
  }

  add(value: number): void {
    if (this.length < this.#max) this.#kept[this.length] = value;
    this.length += 1;
    if (!(value > this.#previous && value < Number.POSITIVE_INFINITY)) this.#isAscending = false;
    this.#previous = value;
  }

  /** The numbers that are kept, in a list of the caller's own. */
  get values(): number[] {
    return this.#kept.slice(0, Math.min(this.length, this.#max));
  }

  /** One of the numbers that are kept; `index` must be below `length`. */
  at(index: number): number {
    return this.#kept[index] as number;
  }

  /** Whether each number is finite and larger than the one before it. */
  get isAscending(): boolean {
    return this.#isAscending;
  }

  /** Whether all numbers are kept. */
  get isWhole(): boolean {
    return this.length <= this.#max;
  }

  /** Adds a packed field of doubles. */
  addDoubles(reader: ProtobufReader): void {
    const outer = reader.enter();
    while (reader.at < reader.end) this.add(reader.double());
    reader.leave(outer);
  }

  /** Adds a packed field of unsigned numbers of eight bytes. */
  addFixed64(reader: ProtobufReader): void {
    const outer = reader.enter();
    while (reader.at < reader.end) this.add(reader.fixed64());
    reader.leave(outer);
  }

  /** Adds a packed field of unsigned varints. */
  addVarints(reader: ProtobufReader): void {
    const outer = reader.enter();
    while (reader.at < reader.end) this.add(reader.varint());
    reader.leave(outer);
  }

  /** Adds a packed field of signed varints in zigzag. */
  addSint64(reader: ProtobufReader): void {
    const outer = reader.enter();
    while (reader.at < reader.end) this.add(reader.sint64());
    reader.leave(outer);
  }
}
