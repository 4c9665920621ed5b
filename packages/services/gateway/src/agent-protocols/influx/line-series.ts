import { exampleOf, labelList } from '../points/label-list.ts';
import type { Rejection } from '../series/point-sink.ts';
import type { SentSeries } from '../series/sent-series.ts';
import { BACKSLASH, COMMA, EQUALS, isEscapable } from './line-bytes.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ESCAPED = /\\([,= ])/g;
/** An equals sign has no meaning in a measurement, so that a backslash before it stands for itself. */
const ESCAPED_IN_MEASUREMENT = /\\([, ])/g;

/** Why the texts of a series are refused, and what to say of it. */
export interface RefusedKey {
  reason: Rejection;
  message: string;
}

/** The measurement and the tags of a line. */
export interface LineKey {
  measurement: string;
  /** Sorted names and values by turns. */
  labels: string[];
}

/** Reads the measurement and the tags from `start` up to `end`. */
export function readLineKey(bytes: Buffer, start: number, end: number): LineKey | RefusedKey {
  const texts: string[] = [];
  let at = endOfText(bytes, start, end, COMMA);
  const measurement = decodeText(bytes, start, at, ESCAPED_IN_MEASUREMENT);
  if (measurement === undefined) return INVALID_UTF8;
  while (at < end) {
    const tag = at + 1;
    at = endOfText(bytes, tag, end, COMMA);
    const equals = endOfText(bytes, tag, at, EQUALS);
    const name = decodeText(bytes, tag, equals, ESCAPED);
    const value = equals < at ? decodeText(bytes, equals + 1, at, ESCAPED) : '';
    if (name === undefined || value === undefined) return INVALID_UTF8;
    if (name === '') return refusedTag('a tag has no name', measurement, texts);
    if (value === '') return refusedTag(`the tag ${JSON.stringify(name)} has no value`, measurement, texts);
    texts.push(name, value);
  }
  const labels = labelList(texts);
  if (labels === undefined)
    return refusedTag('the line has a tag twice, or more than 256 tags', measurement, texts);
  return { measurement, labels };
}

/** The series of the field whose name is from `start` up to `end`. */
export function seriesOfField(
  key: LineKey,
  bytes: Buffer,
  start: number,
  end: number,
): SentSeries | RefusedKey {
  const field = decodeText(bytes, start, end, ESCAPED);
  if (field === undefined) return INVALID_UTF8;
  return {
    protocol: 'influx',
    name: `${key.measurement}_${field}`,
    labels: key.labels,
    resource: [],
    type: 'unknown',
    unit: '',
  };
}

const INVALID_UTF8: RefusedKey = { reason: 'invalid_labels', message: 'a name or tag has no valid UTF-8' };

function refusedTag(message: string, measurement: string, texts: readonly string[]): RefusedKey {
  return { reason: 'invalid_labels', message: `${message}: ${exampleOf(measurement, texts)}` };
}

/** Where the first `separator` without a backslash before it is, or `end`. */
function endOfText(bytes: Buffer, start: number, end: number, separator: number): number {
  let at = start;
  while (at < end && bytes[at] !== separator)
    at += bytes[at] === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
  return Math.min(at, end);
}

function decodeText(bytes: Buffer, start: number, end: number, escaped: RegExp): string | undefined {
  try {
    return decoder.decode(bytes.subarray(start, end)).replace(escaped, '$1');
  } catch {
    return undefined;
  }
}
