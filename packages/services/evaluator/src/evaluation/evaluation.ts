import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { Muting } from '@tidewatch/domain/silence/active-silences';
import type { MutedAlert } from '@tidewatch/domain/silence/silence';
import type { LogPlace } from '@tidewatch/store/alerts/transitions';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { MonitoredHost } from '../memory/monitored-host.ts';
import type { Changes } from './changes.ts';

/** The inputs that every evaluation of a rule needs. */
export interface Evaluation {
  changes: Changes;
  /** Alert instances whose value, peak or time changed without a transition; these are stored a little later. */
  dirtyInstances: Set<AlertInstance>;
  newAlertId(): string;
  /** Returns the silence that mutes a new alert of the host, or null. */
  muting(service: MonitoredHost, alert: MutedAlert): Muting | null;
  /** Must be called before an alert instance begins: ends a queued one of the same rule and subject. */
  endFormer(instance: AlertInstance): void;
  /** The server's clock, ms. */
  now: number;
}

/** When and where a payload was received, published and consumed, in ms; `place` is null without a log. */
export interface Origin {
  receivedAt: number;
  publishedAt: number;
  consumedAt: number;
  place: LogPlace | null;
}

/** The sample or check that caused a verdict. */
export interface Cause {
  /** Time of the sample, or of the check that stands for one, ms. */
  at: number;
  value: number | null;
  /** The payload that is evaluated; null if missing data is evaluated. */
  payload: Payload | null;
  /** The origin of the payload; null if there is no payload. */
  origin: Origin | null;
  /** Whether the sample is backfilled; called only when an alert fires. */
  backfilled(): boolean;
  /** Reason of a resolution; `recovered` by default. */
  resolution?: Resolution;
}
