import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Suppression } from '@tidewatch/contracts/notifications/notification';

/** A message is given up, and an event not told any more, this long after it was decided. */
export const TOLD_WITHIN_MS = 24 * 60 * 60_000;

/** The metric whose alert tells that a host is offline. */
export const OFFLINE_METRIC = 'host.silent_minutes';

export interface OpeningFacts {
  alert: Pick<Alert, 'backfilled' | 'shadow' | 'silenced_by' | 'metric'>;
  /** How long ago it was decided, ms. */
  age: number;
  /** An alert says that the host is offline. */
  hostOffline: boolean;
  /** That the stream flaps was told already. */
  quiet: boolean;
}

/** Why nobody is told of a firing, or of what comes after it while it lasts; null where they are. */
export function suppressionOf({ alert, age, hostOffline, quiet }: OpeningFacts): Suppression | null {
  if (alert.shadow) return 'shadow';
  if (alert.backfilled) return 'backfilled';
  if (age > TOLD_WITHIN_MS) return 'too_old';
  if (alert.silenced_by !== null) return 'silenced';
  if (hostOffline && alert.metric !== OFFLINE_METRIC) return 'host_offline';
  return quiet ? 'flapping' : null;
}

/** Reasons that may pass while the alert goes on: then it is told after all. */
export const PASSING: readonly Suppression[] = ['host_offline', 'flapping'];
