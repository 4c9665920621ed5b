import { FaultList } from '../../fault-list.ts';
import { COLON, type Cursor } from '../cursor.ts';
import { countMembers } from '../duplicate-members.ts';
import { IgnoredFields } from '../ignored-fields.ts';

/** Validates a parsed member of a payload: adds what is wrong with it, and the fields that it ignores. */
export type MemberDecoder<T> = (value: unknown, faults: FaultList, ignored: IgnoredFields) => T | undefined;

/**
 * Parses the member whose name was read, alone, and leaves the rest of the body to be scanned. Returns null where the whole
 * body must be parsed: at any fault, ignored field or duplicate, which only the parser names.
 */
export function scanMember<T>(cursor: Cursor, decode: MemberDecoder<T>): T | null {
  if (!cursor.take(COLON)) return null;
  cursor.next();
  const start = cursor.at;
  const members = cursor.skipValue();
  if (members === -1) return null;
  let value: unknown;
  try {
    value = JSON.parse(cursor.bytes.toString('latin1', start, cursor.at));
  } catch {
    return null;
  }
  if (countMembers(value) !== members) return null;
  const faults = new FaultList();
  const ignored = new IgnoredFields();
  const decoded = decode(value, faults, ignored);
  return faults.count > 0 || ignored.warnings.length > 0 ? null : (decoded ?? null);
}
