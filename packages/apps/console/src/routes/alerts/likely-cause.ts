import type { Schema } from '@tidewatch/api-client/schema';

type InvestigationItem = Schema<'InvestigationItem'>;

export interface LikelyCause {
  investigationId: string;
  title: string;
  confidence: string | null;
}

/** A cause with the alerts that it may be of. */
export interface FoundCause extends LikelyCause {
  alertIds: readonly string[];
}

/** The causes that investigations found, in their order: all that a list of alerts shows of them. */
export function causesFound(investigations: readonly InvestigationItem[]): FoundCause[] {
  return investigations.flatMap(({ id, conclusion, confidence, findings: [first], alert_ids }) =>
    conclusion === 'root_cause_found' && first !== undefined
      ? [{ investigationId: id, title: first.title, confidence, alertIds: alert_ids }]
      : [],
  );
}

/** The newest cause of each alert, by the id of the alert, and of each investigation by its id. */
export function causesByAlert(newestFirst: readonly FoundCause[]): ReadonlyMap<string, LikelyCause> {
  const causes = new Map<string, LikelyCause>();
  for (const cause of newestFirst)
    for (const id of [...cause.alertIds, cause.investigationId]) if (!causes.has(id)) causes.set(id, cause);
  return causes;
}

/** The cause of an alert: what was found of it, or by the investigation of another host that it shares in a storm. */
export function causeOf(
  causes: ReadonlyMap<string, LikelyCause>,
  { id, investigation_id: shared }: Pick<Schema<'Alert'>, 'id' | 'investigation_id'>,
): LikelyCause | undefined {
  return causes.get(id) ?? (shared === null ? undefined : causes.get(shared));
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
