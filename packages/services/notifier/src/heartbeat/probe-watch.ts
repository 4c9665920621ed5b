import type { ProbeData } from '@tidewatch/contracts/events/probe';

/** So many probes in a row must be missing before a partition does not get through. */
export const PROBES_MISSED = 4;

/** What the probes that arrived say: by our own clock, since those of gateways may be wrong. Times are ms. */
export class Pulse {
  readonly #staleMs: number;
  #partitions: number | null = null;
  readonly #heard = new Map<number, { heartbeat: number; at: number }>();

  /** A partition of which nothing new was heard for `staleMs` does not get through. */
  constructor(staleMs: number) {
    this.#staleMs = staleMs;
  }

  /** A probe that arrived at `now`. Only a heartbeat that is newer than the last says that gateways live. */
  take({ partitions, heartbeats }: ProbeData, now: number): void {
    if (partitions !== this.#partitions) this.#heard.clear();
    this.#partitions = partitions;
    for (const [partition, heartbeat] of Object.entries(heartbeats)) {
      const before = this.#heard.get(Number(partition));
      if (before === undefined || heartbeat > before.heartbeat)
        this.#heard.set(Number(partition), { heartbeat, at: now });
    }
  }

  /** Whether something of every partition came all the way of late. */
  isThrough(now: number): boolean {
    if (this.#partitions === null || this.#heard.size < this.#partitions) return false;
    return [...this.#heard.values()].every(({ at }) => now - at < this.#staleMs);
  }
}
