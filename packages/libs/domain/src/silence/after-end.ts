import type { ActiveSilences, Muting } from './active-silences.ts';
import type { MutedAlert } from './silence.ts';

/** An active alert whose silence has come to an end. */
export interface UnmutedAlert extends MutedAlert {
  organizationId: string;
  host: string;
  tags: Readonly<Record<string, string>>;
}

/**
 * What mutes the alert at `now`, given that what muted it ended at `endedAt` (ms). Asked as of that moment, and not of
 * the later one at which somebody gets round to it: a silence that was not active at the end of another does not go on
 * where that left off, even if it is active by now. Null means that the alert is to be told.
 */
export function mutedAfter(
  alert: UnmutedAlert,
  endedAt: number,
  now: number,
  silencesAt: (at: number) => ActiveSilences,
): Muting | null {
  const { organizationId, host, tags } = alert;
  for (let at = endedAt; at <= now; ) {
    const next = silencesAt(at).muting(organizationId, host, tags, alert);
    if (next === null || next.until > now) return next;
    at = next.until;
  }
  return null;
}
