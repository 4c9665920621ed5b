import type { Schema } from '@tidewatch/api-client/schema';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { formatDuration } from '../output/age.ts';
import { showFacts } from '../output/facts.ts';
import { elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

/** Prints an alert as text: its subject, its history and its notifications. */
export async function describeAlert(alert: Schema<'Alert'>, session: Session): Promise<void> {
  const { terminal } = session;
  const { subject, acknowledged_by: by, resolved_at: resolvedAt } = alert;
  const until = resolvedAt === null ? session.clock() : Date.parse(resolvedAt);
  await showFacts(session, alert.summary, [
    ['id', alert.id],
    ['severity', alert.severity],
    ['state', `${alert.state} for ${formatDuration(until - Date.parse(alert.fired_at))}`],
    ['host', alert.host],
    ...(subject.kind === 'host' ? [] : [['subject', subjectWords(subject)] as const]),
    ['rule', `${alert.rule_name} (${alert.rule_id})`],
    [
      'value',
      `${alert.value ?? '-'}, at fire ${alert.value_at_fire ?? '-'}, peak ${alert.peak_value ?? '-'}`,
    ],
    ['pending', alert.pending_since ?? '-'],
    ['fired', alert.fired_at],
    ['resolved', resolvedAt === null ? 'no' : `${resolvedAt} (${alert.resolution ?? '-'})`],
    ['acknowledged', by === null ? 'no' : `${alert.acknowledged_at} by ${by.name}`],
    ...(alert.silenced_by === null ? [] : [['silenced by', alert.silenced_by] as const]),
    ...alert.comments.map(
      ({ at, by: author, text }) => ['comment', `${at} ${author.name}: ${text}`] as const,
    ),
    ['investigation', alert.investigation_id ?? '-'],
  ]);
  if (alert.notifications.length === 0) return terminal.print('\nnobody was notified\n');
  await terminal.print('\n');
  return terminal.table(
    [elastic('NOTIFIED'), 'WHAT', 'STATUS', elastic('WHY')],
    alert.notifications.map(({ channel, transition, status, reason, last_error: error }) => [
      `${channel.kind} ${channel.name ?? ''}`.trim(),
      transition,
      word(terminal, status),
      reason ?? error ?? '-',
    ]),
  );
}
