import type {
  Analysis,
  Recommendation,
  TimelineEntry,
  Usage,
} from '@tidewatch/contracts/investigations/analysis';
import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { Conclusion, Confidence } from '@tidewatch/domain/investigation/verdict/verdict';
import { type Claim, ClaimLostError, holds } from './claim.ts';
import { type InvestigationRow, investigationColumns } from './row.ts';

/** A piece of evidence with the reference of the source that it was copied from. */
export type EvidenceOfSource = Evidence & { ref: string };

/** The result of a run. */
export interface Outcome {
  conclusion: Conclusion;
  confidence: Confidence;
  findings: readonly Finding[];
  analysis: Analysis;
  timeline: readonly TimelineEntry[];
  recommendations: readonly Recommendation[];
  usage: Usage;
  evidence: readonly EvidenceOfSource[];
  /** A digest of all evidence, to detect whether two runs had the same input. */
  digest: Buffer;
}

export interface OutcomeOptions {
  /** Whether the run ends with it. */
  completed: boolean;
  /** The server's clock, and when another run is due for more history and for another look, ms; null for none. */
  now: number;
  historyAt?: number | null;
  againAt?: number | null;
}

/** Stores the window that a run investigates. Throws ClaimLostError. */
export async function writeWindow(sql: Sql, claim: Claim, from: number, to: number): Promise<void> {
  const written = await sql`
    update investigations i set window_from = ${toIso(from)}::timestamptz, window_to = ${toIso(to)}::timestamptz
    where ${holds(sql, claim)} returning 1`;
  if (written.length === 0) throw lost(claim);
}

/** Stores the findings so far; returns the updated row. Throws ClaimLostError. */
export async function writeProgress(
  tx: Transaction,
  claim: Claim,
  findings: readonly Finding[],
  now: number,
): Promise<InvestigationRow> {
  const [row] = await tx<InvestigationRow[]>`
    update investigations i set findings = ${tx.json(findings as never)}, updated_at = ${toIso(now)}::timestamptz
    where ${holds(tx, claim)} returning ${investigationColumns(tx)}`;
  if (row === undefined) throw lost(claim);
  return row;
}

/**
 * Stores the result of a run and replaces the evidence of an earlier run; `completed` ends the run. If there was too little
 * history, another run is due once, at `historyAt` (ms), and at `againAt` (ms) where it looks again. Returns the updated row.
 * Throws ClaimLostError.
 */
export async function writeOutcome(
  tx: Transaction,
  claim: Claim,
  outcome: Outcome,
  { completed, now, historyAt = null, againAt = null }: OutcomeOptions,
): Promise<InvestigationRow> {
  const json = (value: unknown) => tx.json(value as never);
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  const ended = completed
    ? tx`, status = 'completed', completed_at = ${toIso(now)}::timestamptz, claimed_by = null, claimed_until = null,
        failure = null, history_at = case when i.history_redone then null else ${time(historyAt)}::timestamptz end,
        again_at = least(i.again_at, ${time(againAt)}::timestamptz),
        conclusion = ${outcome.conclusion}, confidence = ${outcome.confidence}`
    : tx``;
  const [row] = await tx<InvestigationRow[]>`
    update investigations i set findings = ${json(outcome.findings)}, analysis = ${json(outcome.analysis)},
      timeline = ${json(outcome.timeline)}, recommendations = ${json(outcome.recommendations)},
      usage = ${json(outcome.usage)}, facts_digest = ${outcome.digest}, updated_at = ${toIso(now)}::timestamptz ${ended}
    where ${holds(tx, claim)} returning ${investigationColumns(tx)}`;
  if (row === undefined) throw lost(claim);
  await writeEvidence(tx, claim, outcome.evidence);
  return row;
}

/** Ends a run that failed: the investigation fails unless an earlier run has a result. Returns the updated row. Throws ClaimLostError. */
export async function failInvestigation(
  tx: Transaction,
  claim: Claim,
  failure: string,
  now: number,
): Promise<InvestigationRow> {
  const [row] = await tx<InvestigationRow[]>`
    update investigations i set status = case when i.conclusion is null then 'failed' else 'completed' end,
      claimed_by = null, claimed_until = null, failure = case when i.conclusion is null then ${failure} end,
      completed_at = ${toIso(now)}::timestamptz, updated_at = ${toIso(now)}::timestamptz
    where ${holds(tx, claim)} returning ${investigationColumns(tx)}`;
  if (row === undefined) throw lost(claim);
  return row;
}

async function writeEvidence(
  tx: Transaction,
  { organizationId, id }: Claim,
  evidence: readonly EvidenceOfSource[],
): Promise<void> {
  await tx`delete from investigation_evidence where organization_id = ${organizationId} and investigation_id = ${id}`;
  if (evidence.length === 0) return;
  await tx`
    insert into investigation_evidence (organization_id, investigation_id, id, ref, query, window_from, window_to, stats, points)
    select ${organizationId}, ${id}, r.id, r.ref, r.query, r."from", r."to", r.stats, r.points
    from json_to_recordset(${JSON.stringify(evidence)}::text::json) as r (id text, ref text, query text,
      "from" timestamptz, "to" timestamptz, stats jsonb, points jsonb)`;
}

function lost({ id }: Claim): ClaimLostError {
  return new ClaimLostError(`${id} was cancelled, or another process runs it`);
}
