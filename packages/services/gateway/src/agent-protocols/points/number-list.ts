import type { ProtobufReader } from '../wire/protobuf-reader.ts';

/** Collects numbers of which only the first ones are kept, so that memory is bounded; all of them are counted. */
export class NumberList {
  readonly values: number[] = [];
  /** How many numbers were added. */
  length = 0;
  readonly #max: number;
  #isAscending = true;
  #previous = Number.NEGATIVE_INFINITY;

  constructor(max: number) {
    this.#max = max;
  }

  clear(): void {
    this.values.length = 0;
    this.length = 0;
    this.#isAscending = true;
    this.#previous = Number.NEGATIVE_INFINITY;
  }

  add(value: number): void {
    if (this.length < this.#max) this.values.push(value);
    this.length += 1;
    if (!(value > this.#previous && value < Number.POSITIVE_INFINITY)) this.#isAscending = false;
    this.#previous = value;
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
