import { toIso } from '@tidewatch/contracts/values/time';
import type { Sql, Transaction } from '../database/connection.ts';
import { type InvestigationRow, investigationColumns } from './row.ts';

/** A run of an investigation by one process, until it is renewed no more. */
export interface Claim {
  organizationId: string;
  id: string;
  /** Names this run among all that there were and are. */
  holder: string;
}

export type ClaimedInvestigation = InvestigationRow & {
  alert_id: string | null;
  /** Of this run, counted from 1. */
  attempts: number;
};

/** Somebody else runs it, or it was cancelled. */
export class ClaimLostError extends Error {
  override name = 'ClaimLostError';
}

export interface ClaimOptions {
  holder: string;
  /** Nobody else takes it over for so long, by the database's clock, ms. */
  leaseMs: number;
  /** What was begun so often and never ended is not begun again. */
  maxAttempts: number;
  /** The server's clock, ms. */
  now: number;
}

const lease = (tx: Sql | Transaction, ms: number) =>
  tx`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** Rows whose run nobody holds. */
const isFree = (tx: Transaction) =>
  tx`(i.status = 'queued' or i.status = 'running' and i.claimed_until <= clock_timestamp())`;

/** Organizations that have something in the queue, each found by one step in the index. */
const queuedOrganizations = (tx: Transaction) => tx`
  (select min(org_id) as org_id from investigations where status in ('queued', 'running'))
  union all
  select (select min(n.org_id) from investigations n where n.status in ('queued', 'running') and n.org_id > q.org_id)
  from queue q where q.org_id is not null`;

/**
 * Takes the next investigation to run, or null where there is none. Organizations take turns: first the one with the fewest runs
 * under way, then the one whose last run began longest ago. Within one, critical ones come first, then the oldest.
 */
export async function claimInvestigation(
  tx: Transaction,
  { holder, leaseMs, maxAttempts, now }: ClaimOptions,
): Promise<ClaimedInvestigation | null> {
  const [row] = await tx<ClaimedInvestigation[]>`
    with recursive queue as (${queuedOrganizations(tx)}),
    turns as materialized (
      select q.org_id,
        (select count(*) from investigations r
         where r.org_id = q.org_id and r.status = 'running' and r.claimed_until > clock_timestamp()) as running,
        (select max(b.started_at) from investigations b where b.org_id = q.org_id) as last_begun
      from queue q where q.org_id is not null
    ),
    next as materialized (
      select head.org_id, head.id
      from (select org_id from turns order by running, last_begun nulls first, org_id) t
      cross join lateral (
        select i.org_id, i.id from investigations i
        where i.org_id = t.org_id and ${isFree(tx)} and i.status in ('queued', 'running') and i.attempts < ${maxAttempts}
        order by i.severity is distinct from 'critical', i.created_at, i.id limit 1 for update skip locked
      ) head limit 1
    )
    update investigations i set status = 'running', claimed_by = ${holder}, claimed_until = ${lease(tx, leaseMs)},
      attempts = i.attempts + 1, started_at = coalesce(i.started_at, ${toIso(now)}::timestamptz),
      updated_at = ${toIso(now)}::timestamptz
    from next where i.org_id = next.org_id and i.id = next.id
    returning ${investigationColumns(tx)}, i.alert_id, i.attempts`;
  return row ?? null;
}

/** Goes on holding a run for `leaseMs`; false once somebody else has it, or it was cancelled. */
export async function renewClaim(sql: Sql, claim: Claim, leaseMs: number): Promise<boolean> {
  const renewed = await sql`
    update investigations i set claimed_until = ${lease(sql, leaseMs)} where ${holds(sql, claim)} returning 1`;
  return renewed.length > 0;
}

/** Gives a run up that did not come to its end, so that anybody may begin it again after `pauseMs`. */
export async function releaseClaim(
  sql: Sql,
  claim: Claim,
  { pauseMs, isCounted }: { pauseMs: number; isCounted: boolean },
): Promise<void> {
  await sql`
    update investigations i set claimed_by = null, claimed_until = ${lease(sql, pauseMs)},
      attempts = i.attempts - ${isCounted ? 0 : 1}::smallint
    where ${holds(sql, claim)}`;
}

/** What was begun too often without an end has failed, or keeps what an earlier run came to; answers what has ended now. */
export async function failAbandoned(
  tx: Transaction,
  maxAttempts: number,
  now: number,
): Promise<InvestigationRow[]> {
  return await tx<InvestigationRow[]>`
    with abandoned as materialized (
      select i.org_id, i.id from investigations i
      where ${isFree(tx)} and i.status in ('queued', 'running') and i.attempts >= ${maxAttempts}
      for update skip locked
    )
    update investigations i set status = case when i.conclusion is null then 'failed' else 'completed' end,
      claimed_by = null, claimed_until = null, failure = case when i.conclusion is null then coalesce(i.failure, 'it was started ' || i.attempts || ' times and no run completed') end,
      completed_at = ${toIso(now)}::timestamptz, updated_at = ${toIso(now)}::timestamptz
    from abandoned a where i.org_id = a.org_id and i.id = a.id
    returning ${investigationColumns(tx)}`;
}

/** Which row a run may write. */
export function holds(tx: Sql | Transaction, { organizationId, id, holder }: Claim) {
  return tx`i.org_id = ${organizationId} and i.id = ${id} and i.status = 'running' and i.claimed_by = ${holder}`;
}
