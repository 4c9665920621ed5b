import { MalformedBodyError } from '../../wire/malformed-body-error.ts';

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

const NANOS_PER_MS = 1e6;
const DIGITS_OF_NANOS = 6;
const INTEGER = /^-?\d{1,20}$/;
const MAX_UINT64 = 2n ** 64n - 1n;
const MIN_INT64 = -(2n ** 63n);

function refuse(member: string, allowed: string): never {
  throw new MalformedBodyError(`The body is not valid OTLP in JSON: ${member} must be ${allowed}.`);
}

/** Whether a member has its default: it is missing, or null. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The object that `value` is; one without members if it is absent. `member` names it in errors, as in the functions below. */
export function objectOf(value: unknown, member: string): JsonObject {
  if (isAbsent(value)) return {};
  if (typeof value !== 'object' || Array.isArray(value)) refuse(member, 'an object');
  return value as JsonObject;
}

/** The entries of a list, each of them an object; none if it is absent. */
export function objectsOf(value: unknown, member: string): JsonObject[] {
  const list = listOf(value, member);
  for (const entry of list)
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      refuse(member, 'a list of objects');
  return list as JsonObject[];
}

export function listOf(value: unknown, member: string): unknown[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) refuse(member, 'a list');
  return value;
}

export function textOf(value: unknown, member: string): string {
  if (isAbsent(value)) return '';
  if (typeof value !== 'string') refuse(member, 'a text');
  return value;
}

export function booleanOf(value: unknown, member: string): boolean {
  if (isAbsent(value)) return false;
  if (typeof value !== 'boolean') refuse(member, 'true or false');
  return value;
}

/** The digits of an integer of 64 bits, which may be sent as a number or as a text. */
export function integerText(value: unknown, member: string): string {
  if (isAbsent(value)) return '0';
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (Math.abs(value) < 2 ** 64) return String(BigInt(value));
  } else if (typeof value === 'string' && INTEGER.test(value)) {
    const exact = BigInt(value);
    if (exact >= MIN_INT64 && exact <= MAX_UINT64) return String(exact);
  }
  return refuse(member, 'an integer of 64 bits, as a number or a text');
}

/** An integer of 64 bits as a double. */
export function integerOf(value: unknown, member: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : Number(integerText(value, member));
}

/** An integer of at least 0. */
export function countOf(value: unknown, member: string): number {
  const count = integerOf(value, member);
  return count >= 0 ? count : refuse(member, 'at least 0');
}

/** A time in nanoseconds since the epoch, as whole milliseconds. */
export function timeOf(value: unknown, member: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0)
    return Math.floor(value / NANOS_PER_MS);
  const digits = integerText(value, member);
  if (digits.startsWith('-')) refuse(member, 'at least 0');
  return Number(digits.slice(0, -DIGITS_OF_NANOS));
}

/** A double: a number, or a text such as `NaN` and `Infinity`. */
export function doubleOf(value: unknown, member: string): number {
  if (isAbsent(value)) return 0;
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    if (!Number.isNaN(number)) return number;
  }
  return refuse(member, 'a number, "NaN", "Infinity" or "-Infinity"');
}

/** An enumeration as a number. Its names are taken as well, although the specification does not allow them. */
export function enumerationOf(value: unknown, names: readonly string[], member: string): number {
  if (isAbsent(value)) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const index = names.indexOf(value as string);
  return index >= 0 ? index : refuse(member, `a number, or one of ${names.join(', ')}`);
}
