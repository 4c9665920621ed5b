import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The pages that the product serves and notifications may link to. A new page is added here. */
export type Page = 'alert' | 'alerts' | 'service' | 'chart' | 'investigation';
const SERVED: ReadonlySet<Page> = new Set();

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
  served: ReadonlySet<Page> = SERVED,
): { investigation: string | null; service: string | null } {
  const link = linkTo(publicUrl, served);
  return {
    investigation: link('investigation', `/investigations/${id}`),
    service: link('service', `/services/${serviceId}`),
  };
}

/** Links to the pages of an alert. `publicUrl` has no slash at the end and is null if it is not known. */
export function alertLinks(
  publicUrl: string | null,
  alert: Alert,
  served: ReadonlySet<Page> = SERVED,
): AlertLinks {
  const { kind, name } = alert.subject;
  const from = Date.parse(alert.pending_since ?? alert.fired_at) - MARGIN_MS;
  const to = Date.parse(alert.resolved_at ?? alert.updated_at) + MARGIN_MS;
  const window = new URLSearchParams({
    metric: alert.metric,
    ...(kind === 'host' ? {} : { subject: `${kind}:${name}` }),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  const { investigation_id: id } = alert;
  const link = linkTo(publicUrl, served);
  return {
    alert: link('alert', `/alerts/${alert.id}`),
    service: link('service', `/services/${alert.service_id}`),
    chart: link('chart', `/services/${alert.service_id}?${window}`),
    investigation: id === null ? null : link('investigation', `/investigations/${id}`),
  };
}

/** Address of the page with the alerts of a rule. */
export function ruleAlertsLink(
  publicUrl: string | null,
  ruleId: string,
  served: ReadonlySet<Page> = SERVED,
): string | null {
  return linkTo(publicUrl, served)('alerts', `/alerts?rule_id=${ruleId}`);
}

function linkTo(publicUrl: string | null, served: ReadonlySet<Page>) {
  return (page: Page, path: string) =>
    publicUrl === null || !served.has(page) ? null : `${publicUrl}${path}`;
}
