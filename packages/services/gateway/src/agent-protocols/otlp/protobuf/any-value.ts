import type { ProtobufReader } from '../../wire/protobuf-reader.ts';
import { knownFields } from '../../wire/protobuf-reader.ts';

/** The max depth of values in lists and maps. */
export const MAX_NESTING = 64;
/** The max length of a list or map as compact JSON, in UTF-16 code units. */
export const MAX_COMPOUND_LENGTH = 16_384;
/** Longer ones are not decoded. */
const MAX_COMPOUND_BYTES = 8 * MAX_COMPOUND_LENGTH;

const TEXT = 10;
const BOOLEAN = 16;
const INTEGER = 24;
const DOUBLE = 33;
const LIST = 42;
const MAP = 50;
const BYTES = 58;
const FIELDS = knownFields(1, 2, 3, 4, 5, 6, 7);

const ENTRY_FIELDS = knownFields(1, 2);
const KEY = 10;
const VALUE = 18;

/** The text of a double: as JSON has it, and the names of what JSON has not. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '0' : String(value);
}

/** A value as JSON, in a list or map. */
function readJson(reader: ProtobufReader, depth: number): string {
  if (depth > MAX_NESTING) throw reader.malformed(`a value nests deeper than ${MAX_NESTING}`, reader.at);
  let json = 'null';
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === TEXT || tag === BYTES) json = JSON.stringify(readBytes(reader, tag));
    else if (tag === BOOLEAN || tag === INTEGER) json = readScalar(reader, tag);
    else if (tag === DOUBLE) {
      const value = reader.double();
      json = Number.isFinite(value) ? doubleText(value) : JSON.stringify(doubleText(value));
    } else if (tag === LIST) json = readList(reader, depth);
    else if (tag === MAP) json = readMap(reader, depth);
    else reader.skip(tag, FIELDS);
  }
  return json;
}

function readBytes(reader: ProtobufReader, tag: number): string {
  const outer = reader.enter();
  const { at, end } = reader;
  const text = tag === TEXT ? reader.text(at, end) : reader.bytes.toString('base64', at, end);
  reader.leave(outer);
  return text;
}

function readScalar(reader: ProtobufReader, tag: number): string {
  return tag === BOOLEAN ? String(reader.bool()) : String(reader.exactInt64());
}

function readList(reader: ProtobufReader, depth: number): string {
  const values: string[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== KEY) {
      reader.skip(tag, knownFields(1));
      continue;
    }
    const list = reader.enter();
    values.push(readJson(reader, depth + 1));
    reader.leave(list);
  }
  reader.leave(outer);
  return `[${values.join(',')}]`;
}

function readMap(reader: ProtobufReader, depth: number): string {
  const members: string[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== KEY) {
      reader.skip(tag, knownFields(1));
      continue;
    }
    const map = reader.enter();
    let key = '';
    let value = 'null';
    while (reader.at < reader.end) {
      const field = reader.tag();
      if (field === KEY) key = readBytes(reader, TEXT);
      else if (field === VALUE) {
        const entry = reader.enter();
        value = readJson(reader, depth + 1);
        reader.leave(entry);
      } else reader.skip(field, ENTRY_FIELDS);
    }
    reader.leave(map);
    members.push(`${JSON.stringify(key)}:${value}`);
  }
  reader.leave(outer);
  return `{${members.join(',')}}`;
}

/**
 * The value to which reading is limited, as text: numbers and booleans as JSON has them, bytes in base64, lists and maps as
 * compact JSON. Empty if there is no value; undefined for a list or map of more than `MAX_COMPOUND_LENGTH`.
 */
export function readValueText(reader: ProtobufReader): string | undefined {
  let text: string | undefined = '';
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === TEXT || tag === BYTES) text = readBytes(reader, tag);
    else if (tag === BOOLEAN || tag === INTEGER) text = readScalar(reader, tag);
    else if (tag === DOUBLE) text = doubleText(reader.double());
    else if (tag !== LIST && tag !== MAP) reader.skip(tag, FIELDS);
    else if (reader.end - reader.at > MAX_COMPOUND_BYTES) {
      reader.pass();
      text = undefined;
    } else {
      const json: string = tag === LIST ? readList(reader, 1) : readMap(reader, 1);
      text = json.length <= MAX_COMPOUND_LENGTH ? json : undefined;
    }
  }
  return text;
}
