/** A field of an audited object that differs, as texts; undefined on the side that lacks it. */
export interface FieldChange {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** What the audit log has of a state that is too large: the size of all, and the fields that are left out. */
export interface Truncation {
  bytes: number;
  fields: readonly string[];
}

export type State = Readonly<Record<string, unknown>> | null;

const TRUNCATED = '_truncated';
/** Deeper objects are shown as JSON. */
const MAX_DEPTH = 4;

/** The fields that differ between two states, in the order in which they stand there. Fields of objects have dotted names. */
export function changesOf(before: State, after: State): FieldChange[] {
  const former = flattened(before);
  const next = flattened(after);
  return [...new Set([...former.keys(), ...next.keys()])]
    .filter((field) => former.get(field) !== next.get(field))
    .map((field) => ({ field, before: former.get(field), after: next.get(field) }));
}

/** What is missing of a state because of its size; null where nothing is. */
export function truncationOf(state: State): Truncation | null {
  const given = state?.[TRUNCATED] as Partial<Truncation> | undefined;
  if (typeof given?.bytes !== 'number' || !Array.isArray(given.fields)) return null;
  return { bytes: given.bytes, fields: given.fields.map(String) };
}

function flattened(state: State): Map<string, string> {
  const fields = new Map<string, string>();
  const add = (prefix: string, value: unknown, depth: number) => {
    if (isObject(value) && depth < MAX_DEPTH && Object.keys(value).length > 0)
      for (const [name, each] of Object.entries(value)) add(`${prefix}.${name}`, each, depth + 1);
    else fields.set(prefix, textOf(value));
  };
  for (const [name, value] of Object.entries(state ?? {})) if (name !== TRUNCATED) add(name, value, 1);
  return fields;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return isPlainList && value.length > 0 ? value.map(String).join(', ') : JSON.stringify(value);
}
