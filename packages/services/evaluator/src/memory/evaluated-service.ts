import type { Subject } from '@tidewatch/contracts/values/subject';
import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import type { FlapLog } from '@tidewatch/domain/alerting/flapping';
import type { Watched } from '../health/silence-watch.ts';
import type { ActiveRows } from './active-rows.ts';
import type { Stream } from './stream.ts';

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
  evaluatedAt: number;
  /** Null before the first, since most hosts have none that is judged. */
  streams: Set<Stream> | null;
}

/** Everything that evaluating remembers of one host. */
export interface EvaluatedService {
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
  /** Names of the streams of containers and of processes, and up to when payloads with either were evaluated, ms. */
  readonly members: Record<MemberKind, Members>;
  /** Where its alert instances that are not inactive are remembered, with those of other services. */
  readonly rows: ActiveRows;
  /** By rule and stream, where there were any lately. */
  readonly flaps: Map<string, FlapLog>;
  /** The metrics of the last payload, and beside each its stream, null where nothing evaluates it. */
  metrics: readonly string[];
  metricStreams: (Stream | null)[];
  readonly offset: ClockOffset;
  /** How its silence is watched; null, or forgotten, where that was not looked up since. */
  watched: Watched | null;
  /** The time that its clock was set back to, ms, until its directory entry takes that over; null where it was not. */
  clockSetBackTo: number | null;
  skewSeconds: number | null;
  offline: boolean;
  /** When it was archived, ms; null while it lives. */
  archivedAt: number | null;
  lastSeen: number | null;
  health: KnownHealth;
  /** The request that is being evaluated, and the newest time in it. */
  request: number;
  newestInRequest: number;
}

/** Names what flaps within its service; the host by what is there anyway, since a storm has very many of these. */
export function flapKey(ruleId: string, { kind, name }: Subject): string {
  return kind === 'host' ? ruleId : `${ruleId}/${kind}/${name}`;
}
