import type { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { PipelineClock } from '@tidewatch/domain/health/silence';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';

/** What the silence watch knows of one host. */
export interface Watched extends ServiceKey {
  partition: number;
  /** The pipeline clock of the host's partition. */
  clock: PipelineClock;
  /** Whether the host is no longer watched. */
  forgotten: boolean;
  /** Pipeline time of the last receipt; 0, the start of the clock, grants a full grace period. */
  lastSeenAt: number;
  interval: UsualInterval;
  offline: boolean;
  /** Whether a request of the host was received since watching began. */
  wasSeen: boolean;
  /** When the host's first and newest payload were received, ms by the server's clock; null before the first. */
  firstReceivedAt: number | null;
  lastReceivedAt: number | null;
}
