import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { textFault } from '@tidewatch/contracts/values/text';

/** How often tags are sent that did not change, ms: a payload replaces all tags of a host, also those of other agents. */
const REPEAT_MS = 60_000;

const NONE: readonly string[] = [];

/** Whether texts may be a tag, as to their lengths. */
export function isTag(name: string, value: string): boolean {
  return (textFault(name, 1, BOUNDS.tagName) ?? textFault(value, 0, BOUNDS.tagValue)) === undefined;
}

/** The tags of a host that labels of its series name, or that its agent states. */
export class HostTags {
  /** Null before there is one: most hosts have none. */
  #tags: Map<string, string> | null = null;
  /** The names of those that its agent stated last. */
  #stated: readonly string[] = NONE;
  #isChanged = false;
  #sentAt = 0;

  /** Sets a tag, unless its texts are too long or there are too many. */
  set(name: string, value: string): void {
    const tags = this.#tags ?? new Map<string, string>();
    if (tags.get(name) === value) return;
    if (!tags.has(name) && tags.size >= BOUNDS.tags) return;
    if (!isTag(name, value)) return;
    this.#tags = tags.set(name, value);
    this.#isChanged = true;
  }

  /** Sets the tags that its agent states, in place of those that it stated before. */
  state(tags: ReadonlyMap<string, string>): void {
    for (const name of this.#stated) if (!tags.has(name) && this.#tags?.delete(name)) this.#isChanged = true;
    this.#stated = [...tags.keys()];
    for (const [name, value] of tags) this.set(name, value);
  }

  /** The tags, sorted by name, if they have to be sent at `now` (ms); undefined if not. `sent` states that they were. */
  due(now: number): Record<string, string> | undefined {
    const tags = this.#tags ?? [];
    const isDue = this.#tags !== null && this.#tags.size > 0 && now - this.#sentAt >= REPEAT_MS;
    if (!this.#isChanged && !isDue) return undefined;
    return Object.fromEntries([...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  sent(now: number): void {
    this.#isChanged = false;
    this.#sentAt = now;
  }
}
