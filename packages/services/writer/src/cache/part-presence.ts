import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { PART_GONE_MS } from '@tidewatch/domain/alerting/absence';

const CHECK_EVERY_MS = HOUR_MS;

/** What is known of a part: the time of its newest sample (ms), as far as it was noted, and whether it is gone. */
export interface SeenPart {
  seenAt: number;
  isGone: boolean;
}

/**
 * Which parts of one host are gone. Only samples of the host say so, hence a host that is away as a whole keeps its parts. Parts of the
 * newest payload are seen without being written to, since a host seldom changes its parts.
 */
export class PartPresence<Part extends SeenPart> {
  #current: readonly Part[] = [];
  #newest = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** Adds a stored part. */
  know(part: Part): void {
    this.#newest = Math.max(this.#newest, part.seenAt);
  }

  /**
   * Notes the parts with samples in a payload of this time, ms; payloads with the same parts should pass the same list. `all`: every part
   * of the host, checked once an hour. Returns the parts that are gone now, or there again.
   */
  see(present: readonly Part[], all: Iterable<Part>, time: number): Part[] {
    if (time < this.#newest) return present === this.#current ? [] : this.#seeLate(present, time);
    const changed: Part[] = [];
    if (present !== this.#current) {
      for (const part of this.#current) part.seenAt = this.#newest;
      this.#current = present;
      for (const part of present) if (part.isGone) changed.push(part);
      for (const part of changed) part.isGone = false;
    }
    this.#newest = time;
    if (time - this.#checkedAt >= CHECK_EVERY_MS) changed.push(...this.#check(all));
    return changed;
  }

  /** The clock of the host was set back to `time`, ms. */
  setBack(all: Iterable<Part>, time: number): void {
    for (const part of all) part.seenAt = Math.min(part.seenAt, time);
    this.#newest = Math.min(this.#newest, time);
    this.#checkedAt = Math.min(this.#checkedAt, time);
  }

  #seeLate(present: readonly Part[], time: number): Part[] {
    const changed: Part[] = [];
    for (const part of present) {
      part.seenAt = Math.max(part.seenAt, time);
      const isGone = part.seenAt <= this.#newest - PART_GONE_MS;
      if (isGone === part.isGone) continue;
      part.isGone = isGone;
      changed.push(part);
    }
    return changed;
  }

  #check(all: Iterable<Part>): Part[] {
    this.#checkedAt = this.#newest;
    for (const part of this.#current) part.seenAt = this.#newest;
    const gone = [...all].filter(({ isGone, seenAt }) => !isGone && seenAt <= this.#newest - PART_GONE_MS);
    for (const part of gone) part.isGone = true;
    return gone;
  }
}
