import type { ProbeData } from '@tidewatch/contracts/events/probe';

/** A partition of which nothing new was heard for so long does not get through, ms. */
export const STALE_MS = 20_000;

/** What the probes that arrived say: by our own clock, since those of gateways may be wrong. Times are ms. */
export class Pulse {
  #partitions: number | null = null;
  readonly #heard = new Map<number, { heartbeat: number; at: number }>();

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
    return [...this.#heard.values()].every(({ at }) => now - at < STALE_MS);
  }
}
