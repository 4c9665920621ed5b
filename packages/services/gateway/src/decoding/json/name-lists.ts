import { type Word, wordOf } from './cursor.ts';

/** Limits of memory: cached names, names in cached lists, and new names of one body. */
const MAX_PLACES = 10_000;
const MAX_LISTED = 200_000;
const MAX_NEW_NAMES = 1_000;
/** The cache is cleared after this many names that were not cached, since hosts report other names by then. */
const FORGET_AFTER = 1_000_000;

/** That of the root, which stands for no name. */
const NO_WORD = wordOf('"" :');

/** A node in the tree of all lists of metric names: one name, after those before it in a list. */
export class NamePlace {
  readonly name: string;
  /** The name in quotes and a colon, as most senders write it. */
  readonly word: Word;
  readonly before: NamePlace | null;
  /** The number of names from the root to this node. */
  readonly length: number;
  /** The node that followed this one last time; most bodies repeat it. */
  next: NamePlace | null = null;
  /** Other nodes that followed this one; null until there is one. */
  followers: Map<string, NamePlace> | null = null;
  /** The names from the root to this node; null until they are needed. */
  list: readonly string[] | null = null;

  constructor(name: string, before: NamePlace | null) {
    this.name = name;
    this.word = before === null ? NO_WORD : wordOf(`"${name}":`);
    this.before = before;
    this.length = before === null ? 0 : before.length + 1;
  }
}

/** Caches the lists of metric names of payloads, so that equal lists share one array. */
export class NameLists {
  #start = new NamePlace('', null);
  #places = 0;
  #listed = 0;
  #added = 0;
  #left = 0;

  /** Returns the root of the tree. Called at the beginning of each body; clears an outdated cache. */
  begin(): NamePlace {
    if (this.#left >= FORGET_AFTER || this.#listed >= MAX_LISTED) {
      this.#start = new NamePlace('', null);
      this.#places = 0;
      this.#listed = 0;
      this.#left = 0;
    }
    this.#added = 0;
    return this.#start;
  }

  /** Returns the node of `name` after `place`; null if the cache is full or the list already has the name. */
  go(place: NamePlace, name: string): NamePlace | null {
    if (place.next?.name === name) return place.next;
    let next = place.followers?.get(name);
    if (next === undefined) {
      if (this.#places === MAX_PLACES || this.#added === MAX_NEW_NAMES || namesUpTo(place).includes(name)) {
        this.#left += 1;
        return null;
      }
      this.#added += 1;
      this.#places += 1;
      next = new NamePlace(name, place);
      if (place.next !== null) {
        place.followers ??= new Map([[place.next.name, place.next]]);
        place.followers.set(name, next);
      }
    }
    place.next = next;
    return next;
  }

  /** The names up to a node, as an array that is shared. */
  listOf(last: NamePlace): readonly string[] {
    if (last.list !== null) return last.list;
    last.list = namesUpTo(last);
    this.#listed += last.length;
    return last.list;
  }
}

/** The names up to a node, as a new array. */
export function namesUpTo(last: NamePlace): string[] {
  const names = new Array<string>(last.length);
  for (let place = last; place.before !== null; place = place.before) names[place.length - 1] = place.name;
  return names;
}
