import { type Word, wordOf } from './cursor.ts';

/** Names that are remembered at most, names in lists that are, and new names of one body: so memory stays small. */
const MAX_PLACES = 10_000;
const MAX_LISTED = 200_000;
const MAX_NEW_NAMES = 1_000;
/** So many names that were not remembered make room: others are reported by now, or there are simply more. */
const FORGET_AFTER = 1_000_000;

/** One name behind those before it in a list: a place in the tree of all lists that were met. */
export class NamePlace {
  readonly name: string;
  /** The name and the quote that ends it, as they stand in JSON. */
  readonly word: Word;
  readonly before: NamePlace | null;
  /** How many names there are up to here. */
  readonly length: number;
  /** What came here last time: most bodies say the same again. */
  next: NamePlace | null = null;
  /** What else came here, once something else did. */
  followers: Map<string, NamePlace> | null = null;
  /** The names from the first one to this, once somebody asked for them. */
  list: readonly string[] | null = null;

  constructor(name: string, before: NamePlace | null) {
    this.name = name;
    this.word = wordOf(`${name}"`);
    this.before = before;
    this.length = before === null ? 0 : before.length + 1;
  }
}

/** The lists of metric names that bodies carry: each is made once, however many payloads have it. */
export class NameLists {
  #start = new NamePlace('', null);
  #places = 0;
  #listed = 0;
  #added = 0;
  #left = 0;

  /** Where every list begins. To be asked for at the beginning of each body, where all is forgotten now and then. */
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

  /** The place of `name` behind `place`; null where it is none and there is no room, or where the list has it already. */
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

  /** The names up to a place, always the same list. */
  listOf(last: NamePlace): readonly string[] {
    if (last.list !== null) return last.list;
    last.list = namesUpTo(last);
    this.#listed += last.length;
    return last.list;
  }
}

/** The names up to a place, as a list of one's own. */
export function namesUpTo(last: NamePlace): string[] {
  const names = new Array<string>(last.length);
  for (let place = last; place.before !== null; place = place.before) names[place.length - 1] = place.name;
  return names;
}
