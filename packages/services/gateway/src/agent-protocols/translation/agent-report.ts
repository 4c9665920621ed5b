import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import type { Omission } from '../series/point-sink.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';
import type { HostPart } from './outputs/host-part.ts';

/** How often a host says what its agents send, ms. */
const EVERY_MS = 60_000;

/** What of a host one protocol brings: how many of its series are stored, and how many are left out and why. */
export class AgentReport {
  readonly protocol: AgentProtocolName;
  readonly #omitted = new Map<Omission, number>();
  #stored = 0;
  #rejected = 0;
  #rejectedBefore = 0;
  #reportedAt = 0;
  #part: HostPart;

  constructor(protocol: AgentProtocolName) {
    this.protocol = protocol;
    this.#part = { kind: 'agent', name: protocol, labels: { protocol } };
  }

  /** Counts a new series; `reason` is why it is left out, null for one that is stored. */
  add(reason: Omission | null): void {
    if (reason === null) this.#stored += 1;
    else this.#omitted.set(reason, (this.#omitted.get(reason) ?? 0) + 1);
  }

  /** Counts a series that was forgotten. */
  remove(reason: Omission | null): void {
    if (reason === null) this.#stored -= 1;
    else this.#omitted.set(reason, Math.max(0, (this.#omitted.get(reason) ?? 0) - 1));
  }

  /** Counts a point that was refused for ever. */
  reject(): void {
    this.#rejected += 1;
  }

  /** The part of the host that says it, and its metrics, where it is time to; undefined where it is not. `now` in ms. */
  due(now: number): { part: HostPart; metrics: Readonly<Record<string, number>> } | undefined {
    if (now - this.#reportedAt < EVERY_MS) return undefined;
    this.#reportedAt = now;
    const rejected = this.#rejected - this.#rejectedBefore;
    this.#rejectedBefore = this.#rejected;
    let omitted = 0;
    for (const count of this.#omitted.values()) omitted += count;
    const reasons = [...this.#omitted]
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ');
    const labels = { protocol: this.protocol, left_out: reasons.slice(0, PART_BOUNDS.labelValue) };
    if (this.#part.labels?.left_out !== labels.left_out) this.#part = { ...this.#part, labels };
    return {
      part: this.#part,
      metrics: { stored_series: this.#stored, left_out_series: omitted, rejected_points: rejected },
    };
  }
}
