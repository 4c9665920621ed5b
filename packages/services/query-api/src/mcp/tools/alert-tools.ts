import type { Tool } from './tool.ts';

const SHOWN =
  'id,rule_id,rule_name,service_id,host,subject,status,state,severity,metric,value,threshold,summary,fired_at,resolved_at,acknowledged_at,silenced_by,investigation_id';

/** Tools that read and handle alerts. */
export const ALERT_TOOLS: readonly Tool[] = [
  {
    name: 'list_alerts',
    title: 'List alerts',
    description: 'Alerts, the newest first; active ones unless status says otherwise.',
    operationId: 'listAlerts',
    query: ['status', 'severity', 'service_id', 'rule_id', 'host', 'acknowledged', 'from', 'to', 'sort'],
    fixed: { fields: SHOWN },
    list: 'alerts',
  },
  {
    name: 'get_alert',
    title: 'Read an alert',
    description:
      'One alert with its condition, the top processes and containers of when it fired, who was notified, and comments. Its cause is in the investigation that investigation_id names.',
    operationId: 'getAlert',
    id: 'alert_id',
  },
  {
    name: 'get_alert_evidence',
    title: 'Read what led to an alert',
    description:
      'The transitions of an alert, the samples that opened, fired and closed it, and how long each step took.',
    operationId: 'getAlertEvidence',
    id: 'alert_id',
  },
  {
    name: 'acknowledge_alert',
    title: 'Acknowledge an alert',
    description:
      'Says that somebody takes care of an alert; it goes on as before. The comment is kept with it.',
    operationId: 'acknowledgeAlert',
    id: 'alert_id',
    body: ['comment'],
    shows: shortAlert,
    effect: { isDestructive: false, isIdempotent: true },
  },
  {
    name: 'comment_on_alert',
    title: 'Comment on an alert',
    description: 'Keeps a comment with an alert. Nothing else of the alert changes.',
    operationId: 'commentAlert',
    id: 'alert_id',
    body: ['comment'],
    shows: shortAlert,
    effect: { isDestructive: false, isIdempotent: true },
  },
  {
    name: 'resolve_alert',
    title: 'Resolve an alert by hand',
    description:
      'Ends an alert. If the breach goes on, the next sample starts a new one: to be notified less, silence it or edit its rule.',
    operationId: 'resolveAlert',
    id: 'alert_id',
    body: ['comment'],
    shows: shortAlert,
    effect: { isDestructive: true, isIdempotent: true },
  },
];

function shortAlert(alert: Record<string, unknown>): Record<string, unknown> {
  const shown = [...SHOWN.split(','), 'acknowledged_by', 'resolution', 'comments'];
  return Object.fromEntries(shown.map((name) => [name, alert[name]]));
}
