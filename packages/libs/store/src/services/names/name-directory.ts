/** Ends each name in the joined text; PostgreSQL stores no text with it. */
const END = '\0';

/**
 * The names of the listed services of an organization as of a snapshot of the database, in the order of collation "C". Its names never
 * change: `with` makes another one.
 */
export class NameDirectory {
  readonly #names: readonly string[];
  /** The names in lower case, each with its end. */
  readonly #text: string;
  readonly #starts: Uint32Array;
  /** Names that are not in it were listed by this transaction or a later one. */
  newSince: number;

  /** `names`: in order, each once. `newSince`: the first transaction that the snapshot did not show for certain. */
  constructor(names: readonly string[], newSince: number) {
    this.#names = names;
    this.newSince = newSince;
    const starts = new Uint32Array(names.length + 1);
    let start = 0;
    for (const [place, name] of names.entries()) {
      starts[place] = start;
      start += name.length + END.length;
    }
    starts[names.length] = start;
    this.#starts = starts;
    this.#text = foldAscii(names.join(END) + END);
  }

  get size(): number {
    return this.#names.length;
  }

  has(name: string): boolean {
    return this.#names[this.#placeOf(name)] === name;
  }

  /** A directory with more names, none of which it has, as of a later snapshot. */
  with(names: readonly string[], newSince: number): NameDirectory {
    const merged: string[] = [];
    let from = 0;
    for (const name of names.toSorted(byBytes)) {
      const place = this.#placeOf(name);
      for (; from < place; from += 1) merged.push(this.#names[from] as string);
      merged.push(name);
    }
    for (; from < this.#names.length; from += 1) merged.push(this.#names[from] as string);
    return new NameDirectory(merged, newSince);
  }

  /** The names that contain a text of ASCII letters in any case, in order. */
  containing(part: string): string[] {
    const folded = foldAscii(part);
    const found: string[] = [];
    let place = 0;
    for (let at = this.#text.indexOf(folded); at >= 0; at = this.#text.indexOf(folded, this.#starts[place])) {
      while ((this.#starts[place + 1] as number) <= at) place += 1;
      found.push(this.#names[place] as string);
      place += 1;
    }
    return found;
  }

  /** The place of a name, or of the next one. */
  #placeOf(name: string): number {
    return lowerBound(this.#names, name);
  }
}

/** The place of the first of ordered names that is not before a name. */
export function lowerBound(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byBytes(names[middle] as string, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares as PostgreSQL does by collation "C": by bytes of UTF-8. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** As `lower` of PostgreSQL by collation "C", which leaves other letters as they are. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
