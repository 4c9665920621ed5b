import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Detector } from '@tidewatch/domain/investigation/detector';
import type { Facts } from '@tidewatch/domain/investigation/facts';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict';
import { type Retention, retainedFrom, TIERS, type Tier } from '@tidewatch/domain/rollup/tier';
import type { Logger } from '@tidewatch/runtime/logger';
import { type Sql, transact } from '@tidewatch/store/connection';
import { readAlertMoments } from '@tidewatch/store/investigations/alert-moments';
import type { Claim, ClaimedInvestigation } from '@tidewatch/store/investigations/claim';
import { investigationEvent, type Progress } from '@tidewatch/store/investigations/event';
import { gatherFacts } from '@tidewatch/store/investigations/facts/gather';
import type { InvestigationRow } from '@tidewatch/store/investigations/row';
import {
  failInvestigation,
  writeOutcome,
  writeProgress,
  writeWindow,
} from '@tidewatch/store/investigations/write-run';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { InvestigatorMetrics, RunOutcome, Stage } from '../investigator-metrics.ts';
import { alertTimeline } from './alert-timeline.ts';
import { detect } from './detect.ts';
import { EvidenceIds, recordFindings, recordVerdict } from './record-verdict.ts';
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
  peersAtMost: number;
  detectors: readonly Detector[];
  conclude(facts: Facts, drafts: readonly FindingDraft[]): Verdict;
}

/** The statistics come to an end within this, ms. */
export const STATISTICS_WITHIN_MS = 60_000;
/** Detectors that are not done by then are left out, so that what others found is concluded from. */
const DETECT_WITHIN_MS = 45_000;
const PROGRESS_EVERY_MS = 500;
/** An alert that fired longer ago waits for no sample. */
const RECENT_MS = 600_000;

/** Runs a claimed investigation to its end. Throws ClaimLostError, and the signal's reason once it is aborted. */
export async function runInvestigation(
  investigation: ClaimedInvestigation,
  claim: Claim,
  signal: AbortSignal,
  parts: RunParts,
): Promise<RunOutcome> {
  const { sql, clock, newId, metrics, logger } = parts;
  const { organizationId } = claim;
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const alertIds = alertsInOrder(investigation);

  const alerts = await readAlertMoments(sql, organizationId, alertIds);
  const alert = alerts.find(({ id }) => id === alertIds[0]);
  const storedUntil = await timed('wait', () =>
    waitForSamples(sql, {
      ...{ organizationId, serviceId: investigation.service_id, signal, clock },
      awaited:
        alert !== undefined && firedBySample(alert) && clock() - alert.firedAt < RECENT_MS
          ? alert.firedAt
          : null,
    }),
  );
  const asked = { from: investigation.window_from, to: investigation.window_to };
  const { from, to } = runWindow(asked, alert, storedUntil, clock());
  await writeWindow(sql, claim, from, to);
  const facts = await timed('gather', () =>
    gatherFacts(sql, {
      ...{ organizationId, serviceId: investigation.service_id, alertIds, from, to, signal },
      ...{ metric: investigation.metric, question: investigation.question },
      ...{ retained: retainedNow(parts), peersAtMost: parts.peersAtMost },
    }),
  );
  if (facts === null) {
    await end((tx) => failInvestigation(tx, claim, 'the service was deleted', clock()), 'failed');
    return 'failed';
  }
  const drafts = await timed('detect', () => findAll(facts));
  const verdict = parts.conclude(facts, drafts);
  const outcome = recordVerdict(verdict, newId, {
    timeline: alertTimeline(alerts),
    seconds: Math.round(seconds() * 1_000) / 1_000,
  });
  await timed('store', () =>
    end((tx) => writeOutcome(tx, claim, outcome, { completed: true, now: clock() }), 'completed'),
  );
  return verdict.conclusion;

  async function timed<R>(stage: Stage, work: () => Promise<R>): Promise<R> {
    signal.throwIfAborted();
    const start = performance.now();
    const result = await work();
    metrics.stage(stage, (performance.now() - start) / 1_000);
    return result;
  }

  /** A last write of the run, and its event. */
  async function end(
    write: (tx: Parameters<typeof writeOutcome>[0]) => Promise<InvestigationRow>,
    became: 'completed' | 'failed',
  ): Promise<void> {
    await transact(sql, async (tx) => {
      await tell(tx, await write(tx), `investigation.${became}`);
    });
  }

  async function tell(
    tx: Parameters<typeof appendEvents>[0],
    row: InvestigationRow,
    type: Parameters<typeof investigationEvent>[1],
    progress: Progress | null = null,
  ): Promise<void> {
    const told = { now: clock(), publicUrl: parts.publicUrl };
    await appendEvents(tx, [
      { organizationId, event: investigationEvent(newId('evt'), type, row, told, progress) },
    ]);
  }

  async function findAll(known: Facts): Promise<FindingDraft[]> {
    let shownAt = Number.NEGATIVE_INFINITY;
    return detect(known, {
      ...{ detectors: parts.detectors, signal },
      isLate: () => performance.now() - began > DETECT_WITHIN_MS,
      async onFound(detector, found) {
        if (performance.now() - shownAt < PROGRESS_EVERY_MS) return;
        shownAt = performance.now();
        const ordered = [...found].sort((a, b) => b.score - a.score);
        // Nothing cites these yet: what they rest on is frozen at the end.
        const findings = recordFindings(ordered, newId, new EvidenceIds(newId)).map((each) => ({
          ...each,
          evidence_ids: [],
        }));
        await transact(sql, async (tx) => {
          const row = await writeProgress(tx, claim, findings, clock());
          const own = findings.filter((_, index) => ordered[index]?.detector === detector);
          await tell(tx, row, 'investigation.progressed', { detector, findings: own });
        });
      },
      onFailure(detector, error) {
        metrics.detectorFailed(detector);
        logger.error({ err: error, detector, investigation: claim.id }, 'a detector failed');
      },
    });
  }
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
