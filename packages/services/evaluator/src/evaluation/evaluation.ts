import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { Muting } from '@tidewatch/domain/silence/active-silences';
import type { MutedAlert } from '@tidewatch/domain/silence/silence';
import type { LogPlace } from '@tidewatch/store/alerts/transitions';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { Changes } from './changes.ts';

/** What evaluating a payload needs besides the payload. */
export interface Evaluation {
  changes: Changes;
  /** Alert instances whose value, peak or time moved without a transition; written a little later. */
  dirtyInstances: Set<AlertInstance>;
  newAlertId(): string;
  /** What mutes an alert of the service that fires now, null where nothing does. */
  muting(service: EvaluatedService, alert: MutedAlert): Muting | null;
  /** Called before an alert instance begins: ends another one of its rule and subject that waits to be ended. */
  endFormer(instance: AlertInstance): void;
  /** The server's clock, ms. */
  now: number;
}

/** The way of a payload to its judging. Times are ms; `place` is null where no log is kept. */
export interface Origin {
  receivedAt: number;
  publishedAt: number;
  consumedAt: number;
  place: LogPlace | null;
}

/** What led to a verdict. */
export interface Cause {
  /** Time of the sample, or of what stands for it, ms. */
  at: number;
  value: number | null;
  /** Null where it is not a payload but its absence. */
  payload: Payload | null;
  /** When and where the payload came; null where it is none. */
  origin: Origin | null;
  /** Asked only when an alert fires. */
  backfilled(): boolean;
  /** What a resolution is put down to; `recovered` unless given. */
  resolution?: Resolution;
}
