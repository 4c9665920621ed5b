import type { Subject } from '@tidewatch/contracts/values/subject';
import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import type { FlapLog } from '@tidewatch/domain/alerting/flapping';
import type { Watched } from '../health/silence-watch.ts';
import type { ActiveRows } from './active-rows.ts';
import type { Stream } from './stream.ts';

/** The stored health of the host, so that only changes are written. */
export interface KnownHealth {
  status: string;
  reasons: readonly unknown[];
  since: number;
  counts: string;
}

export type MemberKind = 'container' | 'process';

/** Containers or processes of a host. */
export interface Members {
  evaluatedAt: number;
  /** Null before the first, since most hosts have none that is evaluated. */
  streams: Set<Stream> | null;
}

/** State of one monitored host in the memory of the evaluator. */
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
  /** Streams of containers and of processes, and up to when payloads with them were evaluated, ms. */
  readonly members: Record<MemberKind, Members>;
  /** Memory of its active alert instances, shared with other hosts. */
  readonly rows: ActiveRows;
  /** Recent flaps, by rule and subject. */
  readonly flaps: Map<string, FlapLog>;
  /** Metrics of the last payload; `metricStreams` has the stream of each, null where no rule evaluates it. */
  metrics: readonly string[];
  metricStreams: (Stream | null)[];
  readonly offset: ClockOffset;
  /** Its entry in the silence watch; null, or forgotten, until it is looked up again. */
  watched: Watched | null;
  /** Time to which its clock was set back, ms, until its directory entry takes that over; null otherwise. */
  clockSetBackTo: number | null;
  skewSeconds: number | null;
  offline: boolean;
  /** Time of archiving, ms; null while not archived. */
  archivedAt: number | null;
  lastSeen: number | null;
  health: KnownHealth;
  /** The request under evaluation, and the newest time of the host in it. */
  request: number;
  newestInRequest: number;
}

/** Returns the key of a flap log within its host. A host’s own key is the rule id itself, which needs no new string. */
export function flapKey(ruleId: string, { kind, name }: Subject): string {
  return kind === 'host' ? ruleId : `${ruleId}/${kind}/${name}`;
}
