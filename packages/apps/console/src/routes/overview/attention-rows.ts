import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';

/** A line of "Needs attention": one alert, or the alerts of one rule on many hosts. */
export type AttentionRow =
  | { kind: 'alert'; alert: Alert; folded: number }
  | { kind: 'rule'; alerts: readonly Alert[] };

/** Alerts of one rule on more hosts than this become one line. */
const MAX_HOSTS_OF_A_RULE = 3;
const RANKS: Readonly<Record<string, number>> = { critical: 0, warning: 1, info: 2 };
/** The metric of the rule by which a host is offline. */
const OFFLINE_METRIC = 'host.silent_minutes';

/**
 * The active alerts, worst first and then newest first. Alerts of one rule on more than three hosts fold into one line; an
 * alert that a host is offline folds the other alerts of that host, which say no more.
 */
export function attentionRows(alerts: readonly Alert[]): AttentionRow[] {
  const offline = new Set(alerts.filter(isOffline).map(({ service_id }) => service_id));
  const folded = new Map<string, number>();
  const left: Alert[] = [];
  for (const alert of alerts) {
    if (offline.has(alert.service_id) && !isOffline(alert))
      folded.set(alert.service_id, (folded.get(alert.service_id) ?? 0) + 1);
    else left.push(alert);
  }
  const rows = [...Map.groupBy(left, ({ rule_id }) => rule_id).values()].flatMap((ofRule): AttentionRow[] =>
    new Set(ofRule.map(({ service_id }) => service_id)).size > MAX_HOSTS_OF_A_RULE
      ? [{ kind: 'rule', alerts: ofRule }]
      : ofRule.map((alert) => ({
          kind: 'alert',
          alert,
          folded: isOffline(alert) ? (folded.get(alert.service_id) ?? 0) : 0,
        })),
  );
  return rows.sort((a, b) => rankOf(a) - rankOf(b) || newestOf(b) - newestOf(a));
}

export function alertsOf(row: AttentionRow): readonly Alert[] {
  return row.kind === 'alert' ? [row.alert] : row.alerts;
}

/** Who acknowledged the alerts of a line; of several alerts also how many, so that one name never stands for those that nobody has. */
export function acknowledgedBy(row: AttentionRow): string {
  const alerts = alertsOf(row);
  const acknowledged = alerts.filter(({ acknowledged_at }) => acknowledged_at !== null);
  if (acknowledged.length === 0) return row.kind === 'alert' ? '–' : 'acknowledged by nobody';
  const names = new Set(
    acknowledged.flatMap(({ acknowledged_by }) => visibleText(acknowledged_by?.name ?? '') || []),
  );
  const by = [...names].join(', ');
  if (row.kind === 'alert') return by;
  const count =
    acknowledged.length === alerts.length
      ? `all ${alerts.length}`
      : `${acknowledged.length} of ${alerts.length}`;
  return `${count} acknowledged by ${by}`;
}

/** The worst severity of a line. */
export function severityOf(row: AttentionRow): Alert['severity'] {
  return (
    alertsOf(row).toSorted((a, b) => (RANKS[a.severity] ?? 3) - (RANKS[b.severity] ?? 3))[0]?.severity ??
    'info'
  );
}

function isOffline({ metric }: Alert): boolean {
  return metric === OFFLINE_METRIC;
}

function rankOf(row: AttentionRow): number {
  return RANKS[severityOf(row)] ?? 3;
}

function newestOf(row: AttentionRow): number {
  return Math.max(...alertsOf(row).map(({ fired_at }) => Date.parse(fired_at)));
}
