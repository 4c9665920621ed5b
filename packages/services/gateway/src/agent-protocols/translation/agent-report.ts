import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import type { Omission } from '../series/point-sink.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';
import type { HostPart } from './outputs/host-part.ts';

/** How often a host says what its agents send, ms. */
const EVERY_MS = 60_000;

/** What of a host one protocol brings: how many of its series are stored, and how many are left out and why. */
export class AgentReport {
  readonly protocol: AgentProtocolName;
  /** Null before a series is left out. */
  #omitted: Map<Omission, number> | null = null;
  #stored = 0;
  #rejected = 0;
  #rejectedBefore = 0;
  #reportedAt = 0;

  constructor(protocol: AgentProtocolName) {
    this.protocol = protocol;
  }

  /** Counts a new series; `reason` is why it is left out, null for one that is stored. */
  add(reason: Omission | null): void {
    if (reason === null) this.#stored += 1;
    else this.#count(reason, 1);
  }

  /** Counts a series that was forgotten. */
  remove(reason: Omission | null): void {
    if (reason === null) this.#stored -= 1;
    else this.#count(reason, -1);
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
    const counts = [...(this.#omitted ?? [])];
    const omitted = counts.reduce((sum, [, count]) => sum + count, 0);
    const reasons = counts
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ');
    const labels = { protocol: this.protocol, left_out: reasons.slice(0, PART_BOUNDS.labelValue) };
    return {
      part: { kind: 'agent', name: this.protocol, labels },
      metrics: { stored_series: this.#stored, left_out_series: omitted, rejected_points: rejected },
    };
  }

  #count(reason: Omission, added: number): void {
    this.#omitted ??= new Map();
    this.#omitted.set(reason, Math.max(0, (this.#omitted.get(reason) ?? 0) + added));
  }
}
