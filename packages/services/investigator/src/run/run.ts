import type { Analysis } from '@tidewatch/contracts/investigations/analysis';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { type Retention, retainedTiers } from '@tidewatch/domain/rollup/buckets';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { readAlertMoments } from '@tidewatch/store/investigations/alert-moments';
import type { Claim, ClaimedInvestigation } from '@tidewatch/store/investigations/claim';
import { investigationEvent, type Progress } from '@tidewatch/store/investigations/event';
import type { InvestigationRow } from '@tidewatch/store/investigations/row';
import {
  failInvestigation,
  type Outcome,
  writeOutcome,
  writeProgress,
  writeWindow,
} from '@tidewatch/store/investigations/write-run';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { Analyst } from '../analysis/analyst.ts';
import type { InvestigatorMetrics, RunOutcome, Stage } from '../investigator-metrics.ts';
import type { Explainer } from '../model/explainer.ts';
import { alertTimeline } from './alert-timeline.ts';
import { looksAgainAfter } from './look-again.ts';
import { EvidenceIds, inOrder, recordFindings, recordVerdict } from './record-verdict.ts';
import { storedEvidence } from './stored-evidence.ts';
import { waitForSamples } from './stored-samples.ts';
import { firedBySample, hasOwnWindow, runWindow } from './window.ts';

export interface RunParts {
  sql: Sql;
  clock: () => number;
  newId: (prefix: IdPrefix) => string;
  logger: Logger;
  metrics: InvestigatorMetrics;
  /** The retention of each tier, ms. */
  retention: Retention;
  publicUrl: string | null;
  maxPeers: number;
  analyst: Analyst;
  /** Explains the findings by a model; null where none is configured. */
  explainer: Explainer | null;
}

/** The time limit of a run. */
export interface RunTime {
  signal: AbortSignal;
  /** Extends the limit by the time for a model. Returns the new deadline, ms since the epoch. */
  extend(): number;
}

/** Detectors that have not begun by then are skipped, ms from the start of the run. */
const DETECT_WITHIN_MS = 45_000;
/** The run waits for the samples of an alert only if the alert fired within this time, ms. */
const RECENT_MS = 600_000;
/** A run with too little history is repeated only if there will be enough within this time, ms. */
const MAX_HISTORY_WAIT_MS = DAY_MS;

/** Runs a claimed investigation. Throws ClaimLostError, and the reason of the signal once it is aborted. */
export async function runInvestigation(
  investigation: ClaimedInvestigation,
  claim: Claim,
  { signal, extend }: RunTime,
  parts: RunParts,
): Promise<RunOutcome> {
  const { sql, clock, newId, metrics } = parts;
  const { organizationId } = claim;
  const began = performance.now();
  const seconds = () => Math.round(performance.now() - began) / 1_000;
  const alertIds = alertsInOrder(investigation);
  const retained = retainedTiers(parts.clock(), parts.retention);

  const alerts = await readAlertMoments(sql, organizationId, alertIds);
  const alert = alerts.find(({ id }) => id === alertIds[0]);
  const isNew = alert !== undefined && firedBySample(alert) && clock() - alert.firedAt < RECENT_MS;
  const storedUntil = await timed('wait', () =>
    waitForSamples(sql, {
      organizationId,
      serviceId: investigation.service_id,
      signal,
      clock,
      awaited: isNew ? alert.firedAt : null,
    }),
  );
  const asked = { from: investigation.window_from, to: investigation.window_to };
  const { trigger, created_at: createdAt } = investigation;
  const isAsked = alert === undefined || hasOwnWindow({ ...asked, trigger, createdAt }, alert);
  const { from, to } = runWindow(asked, isAsked ? undefined : alert, storedUntil, clock());
  await writeWindow(sql, claim, from, to);

  // The findings of an earlier run stay until this run completes.
  const isRerun = investigation.conclusion !== null;
  const progress = isRerun
    ? { ...createProgressWriter(claim, parts), found: () => undefined }
    : createProgressWriter(claim, parts);
  const facts = {
    // Moves the end by one millisecond, since the end of a requested window is inclusive.
    organizationId,
    serviceId: investigation.service_id,
    alertIds,
    from,
    retained,
    to: isAsked ? to + 1 : to,
    metric: investigation.metric,
    question: investigation.question,
    maxPeers: parts.maxPeers,
  };
  const verdict = await parts.analyst.analyse(
    { facts, detectWithinMs: DETECT_WITHIN_MS },
    { ...progress, stage: metrics.stage },
    signal,
  );
  await progress.written();
  if (verdict === null) {
    await end(isRerun ? 'completed' : 'failed', (tx) =>
      failInvestigation(tx, claim, 'the service was deleted', clock()),
    );
    return 'failed';
  }
  const statistics = recordVerdict(verdict, newId, { timeline: alertTimeline(alerts), seconds: seconds() });
  const historyAt = isAsked ? null : rerunAt(verdict.enoughAt, to, clock());
  const againAfter =
    isAsked || alert === undefined
      ? null
      : looksAgainAfter({ verdict, alert, to, reruns: investigation.reruns });
  const againAt = againAfter === null ? null : clock() + againAfter;
  const outcome = parts.explainer === null ? statistics : await explained(statistics, parts.explainer);
  signal.throwIfAborted();
  await timed('store', () =>
    end('completed', (tx) =>
      writeOutcome(tx, claim, outcome, { completed: true, now: clock(), historyAt, againAt }),
    ),
  );
  return verdict.conclusion;

  async function timed<R>(stage: Stage, work: () => Promise<R>): Promise<R> {
    const start = performance.now();
    const result = await work();
    metrics.stage(stage, (performance.now() - start) / 1_000);
    return result;
  }

  /** Writes the result of the run and emits its event, in one transaction. */
  async function end(
    status: 'completed' | 'failed',
    write: (tx: Transaction) => Promise<InvestigationRow>,
  ): Promise<void> {
    await transact(sql, async (tx) => {
      await emitEvent(tx, await write(tx), `investigation.${status}`, null, parts);
    });
  }

  /** Stores the findings of the statistics first, so that they cannot be lost, and then lets the model explain them. */
  async function explained(outcomeOfStatistics: Outcome, explainer: Explainer): Promise<Outcome> {
    const deadline = extend();
    const { analysis, conclusion, confidence, findings, evidence } = outcomeOfStatistics;
    const meanwhile: Analysis = {
      ...analysis,
      model_status: 'skipped',
      model_reason: 'the explanation by the model did not complete',
    };
    if (!isRerun) {
      await transact(sql, (tx) =>
        writeOutcome(
          tx,
          claim,
          { ...outcomeOfStatistics, analysis: meanwhile },
          { completed: false, now: clock() },
        ),
      );
    }
    const { title, severity, host, metric, question } = investigation;
    const explanation = await timed('explain', () =>
      explainer(
        {
          case: {
            title,
            severity,
            host,
            metric,
            question,
            from: toIso(from),
            to: toIso(to),
            conclusion,
            confidence,
            findings: [...findings],
            evidence,
            rootCauseFindingId: analysis.root_cause_finding_id,
          },
          statistics: analysis,
          deadline,
        },
        { organizationId, reader: storedEvidence({ sql, organizationId, retained }, clock), signal },
      ),
    );
    return {
      ...outcomeOfStatistics,
      analysis: explanation.analysis,
      timeline: inOrder([...outcomeOfStatistics.timeline, ...explanation.timeline]),
      evidence: [...evidence, ...explanation.evidence],
      usage: { ...explanation.usage, seconds: seconds() },
    };
  }
}

/**
 * When a run with too little history is repeated, ms by our clock; null if not within a day. `to` is the host's current
 * time.
 */
function rerunAt(enoughAt: number | null, to: number, now: number): number | null {
  if (enoughAt === null || enoughAt - to > MAX_HISTORY_WAIT_MS) return null;
  return now + enoughAt - to;
}

/** Stores the findings so far, one write after the other. `written` waits for the last write and throws its error. */
function createProgressWriter(claim: Claim, parts: RunParts) {
  const { sql, clock, newId, metrics, logger } = parts;
  let last: Promise<void> = Promise.resolve();
  return {
    found(detector: string, drafts: readonly FindingDraft[]) {
      const ordered = [...drafts].sort((a, b) => b.score - a.score);
      // Without ids of evidence, which is stored at the end of the run.
      const findings = recordFindings(ordered, newId, new EvidenceIds(newId)).map((each) => ({
        ...each,
        evidence_ids: [],
      }));
      const own = findings.filter((_, index) => ordered[index]?.detector === detector);
      last = last.then(() =>
        transact(sql, async (tx) => {
          const row = await writeProgress(tx, claim, findings, clock());
          await emitEvent(tx, row, 'investigation.progressed', { detector, findings: own }, parts);
        }),
      );
      last.catch(() => undefined);
    },
    detectorFailed(detector: string, error: unknown) {
      metrics.detectorFailed(detector);
      logger.error(
        { err: error, detector, investigation: claim.id },
        'a detector failed; its findings are missing from the investigation',
      );
    },
    written: () => last,
  };
}

async function emitEvent(
  tx: Transaction,
  row: InvestigationRow,
  type: Parameters<typeof investigationEvent>[1],
  progress: Progress | null,
  { clock, newId, publicUrl }: RunParts,
): Promise<void> {
  const event = investigationEvent(newId('evt'), type, row, { now: clock(), publicUrl }, progress);
  await appendEvents(tx, [{ organizationId: row.organization_id, event }]);
}

/** The alerts of the investigation, the one that opened it first. */
function alertsInOrder({ alert_id: first, alert_ids: all }: ClaimedInvestigation): string[] {
  return [...(first === null ? [] : [first]), ...all.filter((id) => id !== first)];
}
