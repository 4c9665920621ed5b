import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { Pace } from '@tidewatch/domain/notification/pacing';

/** A row of `destination_paces`. Times are ms. */
export interface PaceRow {
  tokens: number;
  refilled_at: number;
  failures: number;
  open_until: number | null;
  paused_until: number | null;
  answered_at: number | null;
}

export interface PacedChannel {
  organizationId: string;
  channel: string;
}

/**
 * Locks the pace of a destination until the transaction ends; if there is none, stores `fresh`. With `skip`, returns null
 * if another process has locked it.
 */
export async function lockPace(
  tx: Transaction,
  { organizationId, channel }: PacedChannel,
  fresh: Pace,
  skip: boolean,
): Promise<Pace | null> {
  await tx`
    insert into destination_paces (organization_id, channel, tokens, refilled_at, failures)
    select ${organizationId}, ${channel}, ${fresh.tokens}::float8, ${toIso(fresh.refilledAt)}::timestamptz, 0
    where not exists (select 1 from destination_paces where organization_id = ${organizationId} and channel = ${channel})
    on conflict do nothing`;
  const [row] = await tx<PaceRow[]>`
    select tokens, refilled_at, failures, open_until, paused_until, answered_at from destination_paces
    where organization_id = ${organizationId} and channel = ${channel} for update ${skip ? tx`skip locked` : tx``}`;
  if (row === undefined) return null;
  return paceOf(row);
}

/** Converts a row to a pace. */
export function paceOf(row: PaceRow): Pace {
  return {
    tokens: row.tokens,
    refilledAt: row.refilled_at,
    failures: row.failures,
    openUntil: row.open_until,
    pausedUntil: row.paused_until,
    answeredAt: row.answered_at,
  };
}

export async function writePace(
  tx: Transaction,
  { organizationId, channel }: PacedChannel,
  pace: Pace,
): Promise<void> {
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  await tx`
    update destination_paces set tokens = ${pace.tokens}, refilled_at = ${toIso(pace.refilledAt)},
      failures = ${pace.failures}, open_until = ${time(pace.openUntil)}, paused_until = ${time(pace.pausedUntil)},
      answered_at = ${time(pace.answeredAt)}
    where organization_id = ${organizationId} and channel = ${channel}`;
}
