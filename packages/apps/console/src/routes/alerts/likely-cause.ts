import type { InvestigationItem } from '../investigations/investigation-reads.ts';

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

/** The newest investigation of each alert, by the id of the alert. */
export function investigationsByAlert(
  newestFirst: readonly Pick<InvestigationItem, 'id' | 'alert_ids'>[],
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { id, alert_ids } of newestFirst)
    for (const alertId of alert_ids) if (!ids.has(alertId)) ids.set(alertId, id);
  return ids;
}
