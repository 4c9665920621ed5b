import type { TimelineEntry } from '@tidewatch/contracts/investigations/analysis';
import { toIso } from '@tidewatch/contracts/time/time';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';

/** The transitions of the alerts of an investigation as timeline entries. */
export function alertTimeline(alerts: readonly AlertMoments[]): TimelineEntry[] {
  return alerts.flatMap(({ ruleName, pendingSince, firedAt, resolvedAt, resolution }) => {
    const rule = `"${ruleName}"`;
    const entry = (at: number, type: TimelineEntry['type'], title: string): TimelineEntry => ({
      at: toIso(at),
      type,
      title,
      actor: 'system',
      evidence_ids: [],
    });
    return [
      ...(pendingSince !== null && pendingSince < firedAt
        ? [entry(pendingSince, 'pending', `${rule} was breached for the first time`)]
        : []),
      entry(firedAt, 'fired', `${rule} fired`),
      ...(resolvedAt === null ? [] : [entry(resolvedAt, 'resolved', `${rule} was resolved (${resolution})`)]),
    ];
  });
}
