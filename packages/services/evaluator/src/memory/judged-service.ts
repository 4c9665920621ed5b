import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import type { PairState } from '@tidewatch/domain/alerting/judge';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { AlertChange } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { Stream } from './stream.ts';

/** An active alert as long as judging holds it. `row` is set until it was inserted, `change` while one is to be stored. */
export interface HeldAlert {
  readonly organizationId: string;
  readonly id: string;
  severity: 'critical' | 'warning' | 'info';
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

/** A pair that nothing is stored of; `judgedAt` as in Pair. */
export function inactivePair(service: JudgedService, rule: CompiledRule, judgedAt: number): Pair {
  return {
    rule,
    service,
    state: null,
    judgedAt,
    stored: false,
    alert: null,
    storedAt: judgedAt,
    dirty: false,
  };
}
