import type { Subject } from '@tidewatch/contracts/values/subject';
import type { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import type { FlapLog } from '@tidewatch/domain/alerting/flapping';
import type { AlertTerms } from '@tidewatch/store/alerts/write';
import type { ActiveRows } from './active-rows.ts';
import type { Watched } from './watched.ts';

/** The stored health of the host, with which it is decided whether to write it. */
export interface KnownHealth {
  status: string;
  reasons: readonly unknown[];
  since: number;
  counts: string;
}

/** A step by which the clock of a host was set back. */
export interface ClockStep {
  /** The newest evaluated time before the step, by the clock before it, ms. */
  newestBefore: number;
  /** By how many ms earlier times of the host were moved; below 0. */
  movedByMs: number;
}

/** What an alert instance contributes to the health of its host; null without an alert. */
export interface CountedInstance {
  readonly terms: AlertTerms | null;
  readonly alertId: string | null;
  readonly shadow: boolean;
}

/** State of one monitored host, as its streams and alert instances know it. */
export interface MonitoredHost {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  readonly subject: Subject;
  tags: Readonly<Record<string, string>>;
  /** The streams of the host by the name of the stream. */
  readonly streams: ReadonlyMap<string, { readonly instances: readonly CountedInstance[] }>;
  /** Memory of the host's active alert instances, shared with other hosts. */
  readonly rows: ActiveRows;
  /** The flap logs of the host, by rule and subject. */
  readonly flaps: Map<string, FlapLog>;
  readonly offset: ClockOffset;
  /** The host's entry in the silence watch; null or forgotten until it is looked up again. */
  watched: Watched | null;
  /** The time to which the host's clock was set back, ms, until it is copied to the directory entry; otherwise null. */
  clockSetBackTo: number | null;
  /** How the clock was set back; null once samples have reached the time before the step again. */
  clockStep: ClockStep | null;
  skewSeconds: number | null;
  offline: boolean;
  /** When the host was archived, ms; null if it is not archived. */
  archivedAt: number | null;
  lastSeen: number | null;
  health: KnownHealth;
  /** The number of the request under evaluation, and the newest time of the host in that request. */
  request: number;
  newestInRequest: number;
}

/** Returns the key of a flap log within its host. A host’s own key is the rule id itself, which needs no new string. */
export function flapKey(ruleId: string, { kind, name }: Subject): string {
  return kind === 'host' ? ruleId : `${ruleId}/${kind}/${name}`;
}
