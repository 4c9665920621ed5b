import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';
import { thinned } from '@tidewatch/domain/prompt-text/shown-evidence';

/** The max size of an answer to a model, bytes of JSON. */
export const MAX_ANSWER_BYTES = 8_192;

/** Room for what is said about entries that were left out, bytes. */
const REMARK_BYTES = 512;
/** The name of lists that are thinned evenly; of others the first entries stay, which are the most important. */
const POINTS = 'points';
const MAX_STEPS = 64;

/** Maps with more members than any object of the API are shortened like lists. */
const MAX_MEMBERS = 32;

interface Collection {
  holder: Record<string, unknown>;
  name: string;
  path: string;
  bytes: number;
}

/** The size of a value as it is sent, bytes. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(inertJson(value));
}

/**
 * Shortens the lists and maps of an answer, the largest first, until it has at most MAX_ANSWER_BYTES. `left_out` then counts
 * by path what is missing. An answer that is too large without them is replaced by an error.
 */
export function boundedAnswer(answer: Record<string, unknown>): Record<string, unknown> {
  if (sizeOf(answer) <= MAX_ANSWER_BYTES) return answer;
  const copy = structuredClone(answer);
  const leftOut: Record<string, number> = {};
  for (let step = 0; step < MAX_STEPS && sizeOf(copy) > MAX_ANSWER_BYTES - REMARK_BYTES; step += 1) {
    const largest = collectionsOf(copy, '').sort((one, other) => other.bytes - one.bytes)[0];
    if (largest === undefined) break;
    const removed = halve(largest);
    leftOut[largest.path] = (leftOut[largest.path] ?? 0) + removed;
  }
  const bounded = { ...copy, left_out: leftOut };
  return sizeOf(bounded) <= MAX_ANSWER_BYTES
    ? bounded
    : { error: 'too_large', message: 'The answer is too large to be shown: ask for less.' };
}

/** Removes half of the entries, at least one; returns how many. */
function halve({ holder, name }: Collection): number {
  const collection = holder[name] as unknown[] | Record<string, unknown>;
  if (Array.isArray(collection)) {
    const kept = Math.floor(collection.length / 2);
    holder[name] = name === POINTS ? thinned(collection, kept) : collection.slice(0, kept);
    return collection.length - kept;
  }
  const entries = Object.entries(collection);
  const kept = Math.floor(entries.length / 2);
  holder[name] = Object.fromEntries(entries.slice(0, kept));
  return entries.length - kept;
}

/** The lists with several entries and the large maps in a value, each with its path such as `findings.hosts`. */
function collectionsOf(value: unknown, path: string): Collection[] {
  if (Array.isArray(value)) return value.flatMap((each) => collectionsOf(each, path));
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const within = collectionsOf(member, at);
    return isCollection(member) ? [{ holder, name, path: at, bytes: sizeOf(member) }, ...within] : within;
  });
}

function isCollection(member: unknown): boolean {
  if (Array.isArray(member)) return member.length > 1;
  return typeof member === 'object' && member !== null && Object.keys(member).length > MAX_MEMBERS;
}
