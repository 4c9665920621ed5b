import type { InvestigationItem } from './alert-reads.ts';

export interface LikelyCause {
  investigationId: string;
  title: string;
  confidence: string | null;
}

/** What investigations found to be the cause, by the id of each alert that they are about; the newest of them. */
export function causesByAlert(
  investigations: readonly InvestigationItem[],
): ReadonlyMap<string, LikelyCause> {
  const causes = new Map<string, LikelyCause>();
  for (const { id, conclusion, confidence, findings, alert_ids } of investigations) {
    const [first] = findings;
    if (conclusion !== 'root_cause_found' || first === undefined) continue;
    const cause = { investigationId: id, title: first.title, confidence };
    for (const alertId of alert_ids) if (!causes.has(alertId)) causes.set(alertId, cause);
  }
  return causes;
}
