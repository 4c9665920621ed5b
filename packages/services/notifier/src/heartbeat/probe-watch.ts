import type { ProbeData } from '@tidewatch/contracts/events/probe';

/** A partition counts as blocked after this many missed probes in a row. */
export const MAX_MISSED_PROBES = 4;

/**
 * Records when a newer heartbeat of each partition arrived by a probe, by our own clock, since clocks of gateways may be
 * wrong. Times are ms.
 */
export class ProbeWatch {
  readonly #staleMs: number;
  #partitions: number | null = null;
  readonly #lastSeen = new Map<number, { heartbeat: number; at: number }>();

  /** A partition counts as blocked after `staleMs` without a newer heartbeat. */
  constructor(staleMs: number) {
    this.#staleMs = staleMs;
  }

  /** Records a probe that arrived at `now`. Only a heartbeat that is newer than the last one shows that gateways work. */
  take({ partitions, heartbeats }: ProbeData, now: number): void {
    if (partitions !== this.#partitions) this.#lastSeen.clear();
    this.#partitions = partitions;
    for (const [partition, heartbeat] of Object.entries(heartbeats)) {
      const before = this.#lastSeen.get(Number(partition));
      if (before === undefined || heartbeat > before.heartbeat)
        this.#lastSeen.set(Number(partition), { heartbeat, at: now });
    }
  }

  /** Returns whether every partition got a newer heartbeat through within `staleMs`. */
  isThrough(now: number): boolean {
    if (this.#partitions === null || this.#lastSeen.size < this.#partitions) return false;
    return [...this.#lastSeen.values()].every(({ at }) => now - at < this.#staleMs);
  }
}
