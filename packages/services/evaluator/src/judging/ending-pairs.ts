import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { Pair } from '../memory/pair.ts';

interface Ending {
  pair: Pair;
  resolution: Resolution;
}

/** Pairs that no rule wants any more and whose alerts are to be ended: so many of each organization in a transaction. */
export class EndingPairs {
  readonly #waiting = new Map<string, Ending[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(pair: Pair, resolution: Resolution): void {
    const { organizationId } = pair.service;
    const own = this.#waiting.get(organizationId);
    if (own === undefined) this.#waiting.set(organizationId, [{ pair, resolution }]);
    else own.push({ pair, resolution });
  }

  /** Takes out at most `count` pairs, of each organization equally many where all have enough. */
  take(count: number): Ending[] {
    const share = Math.max(1, Math.floor(count / Math.max(1, this.#waiting.size)));
    const taken: Ending[] = [];
    for (const [organizationId, own] of [...this.#waiting]) {
      if (taken.length >= count) break;
      taken.push(...own.splice(-share));
      this.#waiting.delete(organizationId);
      // Last in turn from now on.
      if (own.length > 0) this.#waiting.set(organizationId, own);
    }
    return taken;
  }

  /** Takes out the pairs that `matches` says. */
  takeWhere(matches: (pair: Pair) => boolean): Ending[] {
    const taken: Ending[] = [];
    for (const [organizationId, own] of [...this.#waiting]) {
      const left = own.filter((ending) => !matches(ending.pair));
      if (left.length === own.length) continue;
      taken.push(...own.filter((ending) => matches(ending.pair)));
      if (left.length === 0) this.#waiting.delete(organizationId);
      else this.#waiting.set(organizationId, left);
    }
    return taken;
  }

  clear(): void {
    this.#waiting.clear();
  }
}
