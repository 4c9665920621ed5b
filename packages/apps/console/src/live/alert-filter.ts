import type { components } from '@tidewatch/api-client/generated/api';

export type Alert = components['schemas']['Alert'];

/** The query of a list of alerts, as the API takes it. */
export interface AlertFilter {
  status?: 'active' | 'resolved' | 'all' | undefined;
  severity?: string | undefined;
  service_id?: string | undefined;
  rule_id?: string | undefined;
  host?: string | undefined;
  acknowledged?: string | boolean | undefined;
  shadow?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  as_of?: string | undefined;
  sort?: string | undefined;
}

/** What of an alert decides about lists: lists may read these fields alone. */
export type ListedAlert = Pick<Alert, 'id' | 'fired_at' | 'updated_at'> & Partial<Alert>;

/** Whether a list with this filter holds the alert, as the API decides it; `status` defaults to active. */
export function admits(filter: AlertFilter, alert: Alert): boolean {
  const { status = 'active', severity, service_id, rule_id, host, acknowledged, shadow, from, to } = filter;
  const fired = Date.parse(alert.fired_at);
  return (
    (status === 'all' || alert.status === status) &&
    (severity === undefined || alert.severity === severity) &&
    (service_id === undefined || alert.service_id === service_id) &&
    (rule_id === undefined || alert.rule_id === rule_id) &&
    (host === undefined || alert.host === host) &&
    (acknowledged === undefined || String(acknowledged) === String(alert.acknowledged_at !== null)) &&
    (shadow === 'include' || alert.shadow === (shadow === 'only')) &&
    (from === undefined || fired >= Date.parse(from)) &&
    (to === undefined || fired < Date.parse(to))
  );
}

/** The order of a list; equal times are in the order of their ids, as the API has them. */
export function inOrder(sort: string | undefined): (a: ListedAlert, b: ListedAlert) => number {
  const name = (sort ?? '-fired_at').replace('-', '') as 'fired_at' | 'created_at';
  const direction = (sort ?? '-fired_at').startsWith('-') ? -1 : 1;
  return (a, b) => {
    const difference = Date.parse(a[name] ?? '') - Date.parse(b[name] ?? '');
    return direction * (difference || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  };
}
