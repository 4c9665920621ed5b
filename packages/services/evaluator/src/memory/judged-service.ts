import type { Subject } from '@tidewatch/contracts/values/subject';
import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import type { FlapLog } from '@tidewatch/domain/alerting/flapping';
import type { PairState } from '@tidewatch/domain/alerting/pair-state';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { SampleReference } from '@tidewatch/store/alerts/transitions';
import type { AlertChange, AlertTerms } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { Stream } from './stream.ts';

/** An active alert as long as judging holds it. `row` is set until it was inserted, `change` while one is to be stored. */
export interface HeldAlert {
  readonly organizationId: string;
  readonly id: string;
  /** The terms that it is stored with. */
  terms: AlertTerms;
  /** Of a rule that is only tried out: it touches no health and is told to nobody. */
  readonly shadow: boolean;
  row: AlertRow | null;
  change: AlertChange | null;
}

/** One rule applied to one stream. `judgedAt` is the time (ms) of the last judged sample, -Infinity before it. */
export interface Pair {
  rule: CompiledRule;
  readonly service: JudgedService;
  readonly stream: Stream;
  state: PairState | null;
  judgedAt: number;
  /** Whether the store has a row of its state. */
  stored: boolean;
  alert: HeldAlert | null;
  /** The sample that began what is pending. */
  opened: SampleReference | null;
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

export type MemberKind = 'container' | 'process';

/** What of a host comes and goes. */
export interface Members {
  judgedAt: number;
  readonly streams: Set<Stream>;
}

/** Everything that judging remembers of one host. */
export interface JudgedService {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  /** The host as a subject. */
  readonly subject: Subject;
  tags: Readonly<Record<string, string>>;
  /** Generation of the rules that `streams` were compiled from. */
  generation: number;
  /** By stream name. */
  readonly streams: Map<string, Stream>;
  /** Names of the streams of containers and of processes, and up to when payloads with either were judged, ms. */
  readonly members: Record<MemberKind, Members>;
  /** By rule and stream, where there were any lately. */
  readonly flaps: Map<string, FlapLog>;
  /** The names of the last payload in their order, and beside each its stream, null where nothing judges it. */
  names: string[];
  judged: (Stream | null)[];
  readonly offset: ClockOffset;
  skewSeconds: number | null;
  offline: boolean;
  /** When it was archived, ms; null while it lives. */
  archivedAt: number | null;
  lastSeen: number | null;
  health: KnownHealth;
  /** The request that is being judged, and the newest time in it. */
  request: number;
  newestInRequest: number;
}

/** Names what flaps within its service. */
export function flapKey(ruleId: string, { kind, name }: Subject): string {
  return `${ruleId}/${kind}/${name}`;
}

/** A pair that nothing is stored of; `judgedAt` as in Pair. */
export function inactivePair(
  service: JudgedService,
  stream: Stream,
  rule: CompiledRule,
  judgedAt: number,
): Pair {
  return {
    rule,
    service,
    stream,
    state: null,
    judgedAt,
    stored: false,
    alert: null,
    opened: null,
    storedAt: judgedAt,
    dirty: false,
  };
}
