import { MAX_FAULTS } from '@tidewatch/contracts/problems/validation';

/** The path of a member that occurs twice in one object, as names and positions from the top of the text. */
export type DuplicatePath = readonly (string | number)[];

const PAYLOAD_MEMBERS: ReadonlySet<string> = new Set(
  'host timestamp metrics tags docker_containers processes process_counts parts'.split(' '),
);
const PROCESS_MEMBERS: ReadonlySet<string> = new Set('name pid cpu_percent memory_rss'.split(' '));
/** The maximum depth of a member that ingest reads: index of the payload, list, index, labels, name. */
const MAX_PATH = 5;

/** Counts the members of all objects of a parsed value. Does not recurse, so that deep values cannot exhaust the stack. */
export function countMembers(value: unknown): number {
  const waiting: unknown[] = typeof value === 'object' && value !== null ? [value] : [];
  let count = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) waiting.push(item);
      continue;
    }
    for (const name in next as Record<string, unknown>) {
      count += 1;
      const member = (next as Record<string, unknown>)[name];
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return count;
}

/** An object or list that is open at the current position: the names read so far, or the position in the list. */
interface Level {
  names: Set<string> | null;
  segment: string | number;
  expectsName: boolean;
}

/**
 * Finds the members of a valid JSON text that occur twice in one object, of which `JSON.parse` silently keeps the last. Members
 * that ingest does not read are left out. The result is keyed by the index of the payload where `isList`, else by 0: at least one of
 * each payload, and some hundred in all.
 */
export function duplicateMembers(text: string, isList: boolean): Map<number, DuplicatePath[]> {
  const found = new Map<number, DuplicatePath[]>();
  let kept = 0;
  const keep = (path: DuplicatePath) => {
    const index = isList ? (path[0] as number) : 0;
    const ofPayload = found.get(index);
    if (ofPayload === undefined) found.set(index, [path]);
    else if (kept < MAX_FAULTS) ofPayload.push(path);
    kept += 1;
  };
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = levels[levels.length - 1];
    switch (text[at]) {
      case '"': {
        const end = endOfText(text, at);
        if (level !== undefined && level.names !== null && level.expectsName) {
          level.expectsName = false;
          if (levels.length <= MAX_PATH) {
            level.segment = JSON.parse(text.slice(at, end + 1)) as string;
            const path = levels.map(({ segment }) => segment);
            if (level.names.has(level.segment) && isRead(isList ? path.slice(1) : path)) keep(path);
            level.names.add(level.segment);
          }
        }
        at = end;
        break;
      }
      case '{':
        levels.push({ names: new Set(), segment: '', expectsName: true });
        break;
      case '[':
        levels.push({ names: null, segment: 0, expectsName: false });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level === undefined) break;
        if (level.names === null) level.segment = (level.segment as number) + 1;
        else level.expectsName = true;
        break;
    }
  }
  return found;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Whether ingest reads the member at this path below a payload. */
function isRead(path: DuplicatePath): boolean {
  const [member, second, third] = path;
  if (path.length === 1) return PAYLOAD_MEMBERS.has(member as string);
  if (member === 'metrics' || member === 'tags' || member === 'process_counts')
    return path.length === 2 && typeof second === 'string';
  if (typeof second !== 'number') return false;
  if (path.length === 4) return member === 'parts' && third === 'labels';
  if (path.length !== 3) return false;
  if (member === 'parts') return true;
  return member === 'docker_containers' || (member === 'processes' && PROCESS_MEMBERS.has(third as string));
}
