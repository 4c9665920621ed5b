import { LRUCache } from 'lru-cache';

/** A part of a host, as far as series of agents name it. */
export interface HostPart {
  kind: string;
  name: string;
  labels: Readonly<Record<string, string>> | null;
}

const MAX_PARTS = 20_000;

/** Parts that hosts have in common, such as the file system `/`, which are kept once for all of them. */
export class SharedHostParts {
  readonly #known = new LRUCache<string, HostPart>({ max: MAX_PARTS });

  /** The same object for all parts with this kind, name and labels. */
  of({ kind, name, labels }: HostPart): HostPart {
    const key = JSON.stringify([kind, name, labels]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const part = { kind, name, labels };
    this.#known.set(key, part);
    return part;
  }
}
