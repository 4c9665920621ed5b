import type { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { PipelineClock } from '@tidewatch/domain/health/silence';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';

/** What the silence watch knows of one host. */
export interface Watched extends ServiceKey {
  partition: number;
  /** Clock of its partition. */
  clock: PipelineClock;
  /** Whether it was removed from the watch. */
  forgotten: boolean;
  /** Pipeline time of the last receipt; 0 is the start, which grants a full grace period. */
  lastSeenAt: number;
  interval: UsualInterval;
  offline: boolean;
  /** Whether a request was received since it is watched. */
  wasSeen: boolean;
  /** Receipt of its first and its newest payload, ms by the server’s clock; null before the first. */
  firstReceivedAt: number | null;
  lastReceivedAt: number | null;
}
