import { MalformedBodyError } from '../../wire/malformed-body-error.ts';
import { doubleText, MAX_COMPOUND_LENGTH, MAX_NESTING } from '../protobuf/any-value.ts';
import {
  booleanOf,
  doubleOf,
  integerText,
  isAbsent,
  type JsonObject,
  objectOf,
  objectsOf,
  textOf,
} from './json-members.ts';

/** A list or map as compact JSON; undefined if the value is neither. */
function compoundJson(value: JsonObject, depth: number): string | undefined {
  if (!isAbsent(value['arrayValue'])) {
    const list = objectsOf(objectOf(value['arrayValue'], 'arrayValue')['values'], 'arrayValue.values');
    return `[${list.map((entry) => json(entry, depth + 1)).join(',')}]`;
  }
  if (isAbsent(value['kvlistValue'])) return undefined;
  const map = objectsOf(objectOf(value['kvlistValue'], 'kvlistValue')['values'], 'kvlistValue.values');
  const members = map.map((entry) => {
    const key = JSON.stringify(textOf(entry['key'], 'key'));
    return `${key}:${json(objectOf(entry['value'], 'value'), depth + 1)}`;
  });
  return `{${members.join(',')}}`;
}

/** A value as text if it is a number or boolean; undefined if not. */
function scalarText(value: JsonObject): string | undefined {
  if (!isAbsent(value['boolValue'])) return String(booleanOf(value['boolValue'], 'boolValue'));
  if (!isAbsent(value['intValue'])) return integerText(value['intValue'], 'intValue');
  return isAbsent(value['doubleValue'])
    ? undefined
    : doubleText(doubleOf(value['doubleValue'], 'doubleValue'));
}

/** A text, or bytes in base64; undefined if the value is neither. */
function plainText(value: JsonObject): string | undefined {
  if (!isAbsent(value['stringValue'])) return textOf(value['stringValue'], 'stringValue');
  if (isAbsent(value['bytesValue'])) return undefined;
  return Buffer.from(textOf(value['bytesValue'], 'bytesValue'), 'base64').toString('base64');
}

function json(value: JsonObject, depth: number): string {
  if (depth > MAX_NESTING) throw new MalformedBodyError(`A value nests deeper than ${MAX_NESTING}.`);
  const text = plainText(value);
  if (text !== undefined) return JSON.stringify(text);
  const scalar = scalarText(value);
  if (scalar === undefined) return compoundJson(value, depth) ?? 'null';
  return /^-?[IN]/.test(scalar) ? JSON.stringify(scalar) : scalar;
}

/**
 * An `AnyValue` as text, as `readValueText` has it. Undefined for a list or map of more than `MAX_COMPOUND_LENGTH`.
 */
export function valueText(value: JsonObject): string | undefined {
  const text = plainText(value) ?? scalarText(value);
  if (text !== undefined) return text;
  const compound = compoundJson(value, 1) ?? '';
  return compound.length <= MAX_COMPOUND_LENGTH ? compound : undefined;
}
