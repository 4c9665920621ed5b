import { labelList, MAX_LABELS } from '../../points/label-list.ts';
import { Places } from '../../wire/places.ts';
import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import type { SeriesHash } from '../../wire/series-hash.ts';
import { readValueText } from './any-value.ts';

const KEY = 10;
const VALUE = 18;
const FIELDS = knownFields(1, 2);

/** Beyond it a body is refused, because other requests wait while attributes of one point or resource are read. */
const MAX_SENT = 1_000_000;

/** Attributes of one resource or point, of which texts are decoded only if they are asked for. */
export class AttributeList {
  readonly #reader: ProtobufReader;
  readonly #places = new Places();
  #count = 0;

  constructor(reader: ProtobufReader) {
    this.#reader = reader;
  }

  clear(): void {
    this.#places.clear();
    this.#count = 0;
  }

  /** Adds an attribute whose length is next, and its bytes to the hash. */
  add(hash: SeriesHash): void {
    const reader = this.#reader;
    const outer = reader.enter();
    this.#count += 1;
    if (this.#count > MAX_SENT)
      throw reader.malformed(`a point or resource has more than ${MAX_SENT} attributes`, reader.at);
    if (this.#count <= MAX_LABELS) {
      this.#places.add(reader.at, reader.end);
      hash.bytes(reader.view, reader.at, reader.end);
    }
    reader.leave(outer);
  }

  /** Names and values by turns, sorted; undefined if a name is empty or repeated, or if they are too many or too long. */
  texts(): string[] | undefined {
    if (this.#count > MAX_LABELS) return undefined;
    const reader = this.#reader;
    const { at, end } = reader;
    const texts: string[] = [];
    let isShort = true;
    for (let index = 0; index < this.#places.count; index += 1) {
      reader.move(this.#places.start(index), this.#places.end(index));
      if (!this.#addTexts(texts)) isShort = false;
    }
    reader.move(at, end);
    return isShort ? labelList(texts) : undefined;
  }

  #addTexts(texts: string[]): boolean {
    const reader = this.#reader;
    let name = '';
    let value: string | undefined = '';
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag !== KEY && tag !== VALUE) {
        reader.skip(tag, FIELDS);
        continue;
      }
      const outer = reader.enter();
      if (tag === KEY) name = reader.text(reader.at, reader.end);
      else value = readValueText(reader);
      reader.leave(outer);
    }
    texts.push(name, value ?? '');
    return value !== undefined;
  }
}
