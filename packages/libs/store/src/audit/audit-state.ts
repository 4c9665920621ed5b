import { isDeepStrictEqual } from 'node:util';

/** The maximum size of a state in a record, in bytes of JSON. */
export const MAX_STATE_BYTES = 16_384;

type State = Record<string, unknown>;

/**
 * The states of a change that a record contains: the fields that differ for an update, all fields for a created or deleted
 * object. A state above `MAX_STATE_BYTES` keeps the fields that fit, and `_truncated` names the others.
 */
export function auditStates(
  before: object | null,
  after: object | null,
): { before: State | null; after: State | null } {
  if (before === null || after === null) return { before: bounded(before), after: bounded(after) };
  const [former, current] = [stored(before), stored(after)];
  const names = [...new Set([...Object.keys(former), ...Object.keys(current)])];
  const changed = names.filter((name) => !isDeepStrictEqual(former[name], current[name]));
  return { before: bounded(pick(former, changed)), after: bounded(pick(current, changed)) };
}

/** The state as JSON can store it. */
function stored(state: object): State {
  return JSON.parse(JSON.stringify(state)) as State;
}

function pick(state: State, names: readonly string[]): State {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(state, name)).map((name) => [name, state[name]]),
  );
}

function bounded(state: object | null): State | null {
  if (state === null) return null;
  const text = JSON.stringify(state);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_STATE_BYTES) return JSON.parse(text) as State;
  const sizes = Object.entries(stored(state)).map(([name, value]) => {
    return {
      name,
      value,
      bytes: Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(JSON.stringify(value)) + 2,
    };
  });
  // Small fields, which usually identify the object, are kept first.
  let left = MAX_STATE_BYTES - 1_024;
  const kept = new Set<string>();
  for (const each of sizes.toSorted((a, b) => a.bytes - b.bytes)) {
    left -= each.bytes;
    if (left < 0) break;
    kept.add(each.name);
  }
  const omitted = sizes.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
  return {
    ...Object.fromEntries(sizes.filter(({ name }) => kept.has(name)).map(({ name, value }) => [name, value])),
    _truncated: { bytes, fields: omitted.slice(0, 20) },
  };
}
