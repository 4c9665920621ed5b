import type { Alert } from '@tidewatch/contracts/alerts/alert';

/** Minutes of chart before the breach began, and after it ended or was told. */
const MARGIN_MS = 30 * 60_000;

export interface AlertLinks {
  alert: string | null;
  service: string | null;
  /** The metric around the breach. */
  chart: string | null;
  /** Null also where it has none yet. */
  investigation: string | null;
}

/** Where people see an investigation and its service; null where no address is known. */
export function investigationLinks(
  publicUrl: string | null,
  { id, serviceId }: { id: string; serviceId: string },
): { investigation: string | null; service: string | null } {
  if (publicUrl === null) return { investigation: null, service: null };
  return {
    investigation: investigationAddress(publicUrl, id),
    service: `${publicUrl}/services/${serviceId}`,
  };
}

/** Where people see an alert; `publicUrl` is without a slash at the end, null where it is not known. */
export function alertLinks(publicUrl: string | null, alert: Alert): AlertLinks {
  if (publicUrl === null) return { alert: null, service: null, chart: null, investigation: null };
  const service = `${publicUrl}/services/${alert.service_id}`;
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
  return {
    alert: `${publicUrl}/alerts/${alert.id}`,
    service,
    chart: `${service}?${window}`,
    investigation: id === null ? null : investigationAddress(publicUrl, id),
  };
}

function investigationAddress(publicUrl: string, id: string): string {
  return `${publicUrl}/investigations/${id}`;
}
