import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { PairState } from '@tidewatch/domain/alerting/judge';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { AlertChange } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';

/** An active alert as long as judging holds it. `row` is set until it was inserted, `change` while one is to be stored. */
export interface HeldAlert {
  readonly organizationId: string;
  readonly id: string;
  severity: 'critical' | 'warning' | 'info';
  summary: string;
  ruleVersion: number;
  row: AlertRow | null;
  change: AlertChange | null;
}

/** One rule applied to one host's metric. `judgedAt` is the time (ms) of the last judged sample, -Infinity before it. */
export interface Pair {
  rule: CompiledRule;
  readonly service: JudgedService;
  state: PairState | null;
  judgedAt: number;
  /** Whether the store has a row of its state. */
  stored: boolean;
  alert: HeldAlert | null;
  /** `judgedAt` and values as the store has them, so that what did not change is not written. */
  storedAt: number;
  dirty: boolean;
}

/** Times of samples kept, one more than the intervals of the median. */
const TIMES_KEPT = 10;

/** One metric of one host that at least one rule judges. */
export class Stream {
  readonly metric: string;
  pairs: Pair[] = [];
  /** The epoch in which its rules were last noted as active. */
  notedIn = -1;
  readonly #seedMs: number;
  #times: number[] = [];
  #newest: number;

  constructor(metric: string, usualIntervalMs: number, newest: number) {
    this.metric = metric;
    this.#seedMs = usualIntervalMs;
    this.#newest = newest;
    if (newest > Number.NEGATIVE_INFINITY) this.#times.push(newest);
  }

  /** Takes the time of a sample; late ones tell nothing about the interval. */
  observe(time: number): void {
    if (time <= this.#newest) return;
    this.#newest = time;
    if (this.#times.length === TIMES_KEPT) this.#times.shift();
    this.#times.push(time);
  }

  /** The usual interval in ms before the next sample, 0 while unknown. Asked for rarely, so nothing is kept of it. */
  usualIntervalMs(): number {
    const interval = new UsualInterval({ ms: this.#seedMs, lastTime: null });
    for (const time of this.#times) interval.observe(time);
    return interval.ms;
  }
}

/** What the store says of the service's health, so that only changes are written. */
export interface KnownHealth {
  status: string;
  reasons: readonly unknown[];
  since: number;
  counts: string;
}

/** Everything that judging remembers of one host. */
export interface JudgedService {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  tags: Readonly<Record<string, string>>;
  /** Generation of the rules that `streams` were compiled from. */
  generation: number;
  readonly streams: Map<string, Stream>;
  /** The names of the last payload in their order, and beside each its stream, null where nothing judges it. */
  names: string[];
  judged: (Stream | null)[];
  readonly offset: ClockOffset;
  skewSeconds: number | null;
  offline: boolean;
  lastSeen: number | null;
  health: KnownHealth;
  /** The request that is being judged, and the newest time in it. */
  request: number;
  newestInRequest: number;
}
