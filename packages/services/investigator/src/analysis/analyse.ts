import type { Sql } from '@tidewatch/database/connection';
import type { Detector } from '@tidewatch/domain/investigation/detector';
import type { Facts } from '@tidewatch/domain/investigation/facts';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import { gatherFacts } from '@tidewatch/store/investigations/facts/gather';
import type { AnalysisJob, AnalysisListener } from './analyst.ts';
import { detect } from './detect.ts';

export interface AnalysisParts {
  sql: Sql;
  detectors: readonly Detector[];
  conclude(facts: Facts, drafts: readonly FindingDraft[]): Verdict;
}

const PROGRESS_INTERVAL_MS = 500;

/** Reads the facts, runs every detector and draws the conclusion; null if the service does not exist. */
export async function analyse(
  job: AnalysisJob,
  listener: AnalysisListener,
  signal: AbortSignal,
  { sql, detectors, conclude }: AnalysisParts,
): Promise<Verdict | null> {
  const began = performance.now();
  const facts = await gatherFacts(sql, { ...job.facts, signal });
  if (facts === null) return null;
  const gathered = performance.now();
  listener.stage('gather', (gathered - began) / 1_000);
  let reportedAt = Number.NEGATIVE_INFINITY;
  const drafts = await detect(facts, {
    detectors,
    signal,
    isLate: () => performance.now() - began > job.detectWithinMs,
    onFound(detector, found) {
      if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
      reportedAt = performance.now();
      listener.found(detector, found);
    },
    onFailure: (detector, error) => listener.detectorFailed(detector, error),
  });
  const verdict = conclude(facts, drafts);
  listener.stage('detect', (performance.now() - gathered) / 1_000);
  return verdict;
}
