import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { type InvestigationRow, investigationColumns } from './row.ts';

/** A run of an investigation by one process, valid until its lease expires. */
export interface Claim {
  organizationId: string;
  id: string;
  /** Identifies this run among all runs. */
  holder: string;
}

export type ClaimedInvestigation = InvestigationRow & {
  alert_id: string | null;
  /** The number of this attempt at a run, from 1. */
  attempts: number;
  /** The number of runs before this one that came to their end. */
  reruns: number;
};

/** The claim was lost: another process runs the investigation, or it was cancelled. */
export class ClaimLostError extends Error {
  override name = 'ClaimLostError';
}

export interface ClaimOptions {
  holder: string;
  /** How long no other process can take it over, by the database's clock, ms. */
  leaseMs: number;
  /** The max number of runs of an investigation that end without a result. */
  maxAttempts: number;
  /** The server's clock, ms. */
  now: number;
}

const lease = (tx: Sql | Transaction, ms: number) =>
  tx`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** The SQL condition that an investigation can be claimed: it is queued, or it is running and its lease has expired. */
const isFree = (tx: Transaction) =>
  tx`(i.status = 'queued' or i.status = 'running' and i.claimed_until <= clock_timestamp())`;

/** Organizations with queued investigations, found by one index lookup each. */
const queuedOrganizations = (tx: Transaction) => tx`
  (select min(organization_id) as organization_id from investigations where status in ('queued', 'running'))
  union all
  select (select min(n.organization_id) from investigations n where n.status in ('queued', 'running') and n.organization_id > q.organization_id)
  from queue q where q.organization_id is not null`;

/**
 * Claims the next investigation to run, or returns null. Organizations take turns: first the one with the fewest running
 * investigations, then the one whose last run began longest ago. Within an organization, those that somebody asked for come
 * first, then those without a result, then critical ones, then the oldest.
 */
export async function claimInvestigation(
  tx: Transaction,
  { holder, leaseMs, maxAttempts, now }: ClaimOptions,
): Promise<ClaimedInvestigation | null> {
  const [row] = await tx<ClaimedInvestigation[]>`
    with recursive queue as (${queuedOrganizations(tx)}),
    turns as materialized (
      select q.organization_id,
        (select count(*) from investigations r
         where r.organization_id = q.organization_id and r.status = 'running' and r.claimed_until > clock_timestamp()) as running,
        (select max(b.started_at) from investigations b where b.organization_id = q.organization_id) as last_begun
      from queue q where q.organization_id is not null
    ),
    next as materialized (
      select head.organization_id, head.id
      from (select organization_id from turns order by running, last_begun nulls first, organization_id) t
      cross join lateral (
        select i.organization_id, i.id from investigations i
        where i.organization_id = t.organization_id and ${isFree(tx)} and i.status in ('queued', 'running') and i.attempts < ${maxAttempts}
        order by i.trigger = 'alert', i.conclusion is not null, i.severity is distinct from 'critical', i.created_at, i.id limit 1 for update skip locked
      ) head limit 1
    )
    update investigations i set status = 'running', claimed_by = ${holder}, claimed_until = ${lease(tx, leaseMs)},
      attempts = i.attempts + 1, started_at = coalesce(i.started_at, ${toIso(now)}::timestamptz),
      updated_at = ${toIso(now)}::timestamptz
    from next where i.organization_id = next.organization_id and i.id = next.id
    returning ${investigationColumns(tx)}, i.alert_id, i.attempts, i.reruns`;
  return row ?? null;
}

/** Extends a claim by `leaseMs`; false if another process has it, or the investigation was cancelled. */
export async function renewClaim(sql: Sql, claim: Claim, leaseMs: number): Promise<boolean> {
  const renewed = await sql`
    update investigations i set claimed_until = ${lease(sql, leaseMs)} where ${holds(sql, claim)} returning 1`;
  return renewed.length > 0;
}

/** Releases a run that did not complete, so that any process can start it again after `pauseMs`. */
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

/** Ends investigations that reached the max number of runs, as failed unless an earlier run has a result; returns them. */
export async function failAbandoned(
  tx: Transaction,
  maxAttempts: number,
  now: number,
): Promise<InvestigationRow[]> {
  return await tx<InvestigationRow[]>`
    with abandoned as materialized (
      select i.organization_id, i.id from investigations i
      where ${isFree(tx)} and i.status in ('queued', 'running') and i.attempts >= ${maxAttempts}
      for update skip locked
    )
    update investigations i set status = case when i.conclusion is null then 'failed' else 'completed' end,
      claimed_by = null, claimed_until = null, failure = case when i.conclusion is null then coalesce(i.failure, 'it was started ' || i.attempts || ' times and no run completed') end,
      completed_at = ${toIso(now)}::timestamptz, updated_at = ${toIso(now)}::timestamptz
    from abandoned a where i.organization_id = a.organization_id and i.id = a.id
    returning ${investigationColumns(tx)}`;
}

/** The condition on the row that the holder of a claim may write. */
export function holds(tx: Sql | Transaction, { organizationId, id, holder }: Claim) {
  return tx`i.organization_id = ${organizationId} and i.id = ${id} and i.status = 'running' and i.claimed_by = ${holder}`;
}
