import type { Analysis } from '@tidewatch/contracts/investigations/analysis';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { toIso } from '@tidewatch/contracts/values/time';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { type Retention, retainedFrom, TIERS, type Tier } from '@tidewatch/domain/rollup/tier';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Sql, type Transaction, transact } from '@tidewatch/store/database/connection';
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
import { EvidenceIds, inOrder, recordFindings, recordVerdict } from './record-verdict.ts';
import { storedEvidence } from './stored-evidence.ts';
import { waitForSamples } from './stored-samples.ts';
import { firedBySample, runWindow } from './window.ts';

export interface RunParts {
  sql: Sql;
  clock: () => number;
  newId: (prefix: IdPrefix) => string;
  logger: Logger;
  metrics: InvestigatorMetrics;
  /** How long each tier is kept, ms. */
  retention: Retention;
  publicUrl: string | null;
  maxPeers: number;
  analyst: Analyst;
  /** Words what the statistics found; null where no model is configured. */
  explainer: Explainer | null;
}

/** How a run is ended before its time, and how much of that it has. */
export interface RunTime {
  signal: AbortSignal;
  /** Gives the run the time that a model may take, and answers when all of it has to be over, ms since the epoch. */
  extend(): number;
}

/** Detectors that have not begun by then are left out, ms. */
const DETECT_WITHIN_MS = 45_000;
/** An alert that fired longer ago waits for no sample. */
const RECENT_MS = 600_000;
/** What takes longer to be known is not waited for, ms. */
const MAX_HISTORY_WAIT_MS = 86_400_000;

/** Runs a claimed investigation to its end. Throws ClaimLostError, and the signal's reason once it is aborted. */
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
  const retained = retainedNow(parts);

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
  const { from, to } = runWindow(asked, alert, storedUntil, clock());
  await writeWindow(sql, claim, from, to);

  // What an earlier run found stays until this one has come to its end.
  const isRerun = investigation.conclusion !== null;
  const progress = isRerun
    ? { ...tellProgress(claim, parts), found: () => undefined }
    : tellProgress(claim, parts);
  const facts = {
    // What was asked for ends with its last sample, which may lie exactly at its end.
    organizationId,
    serviceId: investigation.service_id,
    alertIds,
    from,
    retained,
    to: alert === undefined ? to + 1 : to,
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
  const historyAt = alert === undefined ? null : againAt(verdict.enoughAt, to, clock());
  const outcome = parts.explainer === null ? statistics : await explained(statistics, parts.explainer);
  signal.throwIfAborted();
  await timed('store', () =>
    end('completed', (tx) => writeOutcome(tx, claim, outcome, { completed: true, now: clock(), historyAt })),
  );
  return verdict.conclusion;

  async function timed<R>(stage: Stage, work: () => Promise<R>): Promise<R> {
    const start = performance.now();
    const result = await work();
    metrics.stage(stage, (performance.now() - start) / 1_000);
    return result;
  }

  /** The last write of the run, and its event. */
  async function end(
    became: 'completed' | 'failed',
    write: (tx: Transaction) => Promise<InvestigationRow>,
  ): Promise<void> {
    await transact(sql, async (tx) => {
      await tell(tx, await write(tx), `investigation.${became}`, null, parts);
    });
  }

  /** What the statistics found is stored before a model is asked, so that nothing of it can be lost. */
  async function explained(outcomeOfStatistics: Outcome, explainer: Explainer): Promise<Outcome> {
    const deadline = extend();
    const { analysis, conclusion, confidence, findings, evidence } = outcomeOfStatistics;
    const meanwhile: Analysis = {
      ...analysis,
      model_status: 'skipped',
      model_reason: 'the model was not asked to the end',
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

/** When a run that had too little history is made again, ms by our clock: no later than in a day. `to` is the host's now. */
function againAt(enoughAt: number | null, to: number, now: number): number | null {
  if (enoughAt === null || enoughAt - to > MAX_HISTORY_WAIT_MS) return null;
  return now + enoughAt - to;
}

/** Writes what was found so far, one time after the other; `written` waits for the last and throws what became of it. */
function tellProgress(claim: Claim, parts: RunParts) {
  const { sql, clock, newId, metrics, logger } = parts;
  let last: Promise<void> = Promise.resolve();
  return {
    found(detector: string, drafts: readonly FindingDraft[]) {
      const ordered = [...drafts].sort((a, b) => b.score - a.score);
      // What they rest on is frozen at the end.
      const findings = recordFindings(ordered, newId, new EvidenceIds(newId)).map((each) => ({
        ...each,
        evidence_ids: [],
      }));
      const own = findings.filter((_, index) => ordered[index]?.detector === detector);
      last = last.then(() =>
        transact(sql, async (tx) => {
          const row = await writeProgress(tx, claim, findings, clock());
          await tell(tx, row, 'investigation.progressed', { detector, findings: own }, parts);
        }),
      );
      last.catch(() => undefined);
    },
    detectorFailed(detector: string, error: unknown) {
      metrics.detectorFailed(detector);
      logger.error({ err: error, detector, investigation: claim.id }, 'a detector failed');
    },
    written: () => last,
  };
}

async function tell(
  tx: Transaction,
  row: InvestigationRow,
  type: Parameters<typeof investigationEvent>[1],
  progress: Progress | null,
  { clock, newId, publicUrl }: RunParts,
): Promise<void> {
  const event = investigationEvent(newId('evt'), type, row, { now: clock(), publicUrl }, progress);
  await appendEvents(tx, [{ organizationId: row.org_id, event }]);
}

/** The one that began it first; of the others the order of their ids. */
function alertsInOrder({ alert_id: first, alert_ids: all }: ClaimedInvestigation): string[] {
  return [...(first === null ? [] : [first]), ...all.filter((id) => id !== first)];
}

function retainedNow({ retention, clock }: RunParts): Record<Tier, number> {
  const now = clock();
  const entries = TIERS.map((tier) => [tier, retainedFrom(tier, now, retention)]);
  return Object.fromEntries(entries) as Record<Tier, number>;
}
