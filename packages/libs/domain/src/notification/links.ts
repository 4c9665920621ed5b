import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { isServed, type PageName, pathOf } from '@tidewatch/contracts/console/paths';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** Whether the console has a page: notifications link to no other. */
type Serves = (page: PageName) => boolean;

/** How much time before the breach and after its end the linked chart shows. */
const MARGIN_MS = 30 * MINUTE_MS;

export interface AlertLinks {
  alert: string | null;
  service: string | null;
  /** The link to a chart of the metric around the breach. */
  chart: string | null;
  /** The link to the investigation of the alert; null also if the alert has no investigation yet. */
  investigation: string | null;
}

/** Links to the pages of an investigation and of its service; null if the public URL is not known. */
export function investigationLinks(
  publicUrl: string | null,
  { id, serviceId }: { id: string; serviceId: string },
  serves: Serves = isServed,
): { investigation: string | null; service: string | null } {
  const link = linkTo(publicUrl, serves);
  return {
    investigation: link('investigation', pathOf('investigation', { id })),
    service: link('host', pathOf('host', { id: serviceId })),
  };
}

/** Links to the pages of an alert. `publicUrl` has no slash at the end and is null if it is not known. */
export function alertLinks(publicUrl: string | null, alert: Alert, serves: Serves = isServed): AlertLinks {
  const { kind, name } = alert.subject;
  const from = Date.parse(alert.pending_since ?? alert.fired_at) - MARGIN_MS;
  const to = Date.parse(alert.resolved_at ?? alert.updated_at) + MARGIN_MS;
  const chart = {
    metric: alert.metric,
    ...(kind !== 'host' && { subject: `${kind}:${name}` }),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  const host = { id: alert.service_id };
  const { investigation_id: id } = alert;
  const link = linkTo(publicUrl, serves);
  return {
    alert: link('alert', pathOf('alert', { id: alert.id })),
    service: link('host', pathOf('host', host)),
    chart: link('host', pathOf('host', host, chart)),
    investigation: id === null ? null : link('investigation', pathOf('investigation', { id })),
  };
}

/** Link to the page with the alerts of a rule, active and resolved. */
export function ruleAlertsLink(
  publicUrl: string | null,
  ruleId: string,
  serves: Serves = isServed,
): string | null {
  return linkTo(publicUrl, serves)('alerts', pathOf('alerts', {}, { status: 'all', rule_id: ruleId }));
}

function linkTo(publicUrl: string | null, serves: Serves) {
  return (page: PageName, path: string) =>
    publicUrl === null || !serves(page) ? null : `${publicUrl}${path}`;
}
