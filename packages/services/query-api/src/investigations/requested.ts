import type { InvestigationInput } from '@tidewatch/contracts/investigations/investigation-input';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import type { Queryable } from '@tidewatch/database/connection';
import { alertWindow, requestedWindow, type WindowFault } from '@tidewatch/domain/investigation/window';
import { type InvestigationRequest, readInvestigatedAlert } from '@tidewatch/store/investigations/request';
import { findHost } from '@tidewatch/store/services/host';

const WINDOW_FAULTS: Record<WindowFault, string> = {
  too_short: 'Must be at least a minute before the end of the window and before now.',
  too_long: 'Must be at most 24 hours before the end of the window.',
};

/** The subject, window and metric of a requested investigation. */
export type Requested = Pick<
  InvestigationRequest,
  'alert' | 'serviceId' | 'host' | 'metric' | 'question' | 'window'
>;

/**
 * Reads the request for an investigation from a body at `now` (ms). Throws 422 for faults such as an unknown alert or
 * service.
 */
export async function readRequested(
  sql: Queryable,
  organizationId: string,
  input: InvestigationInput,
  now: number,
): Promise<Requested> {
  const { alert_id: alertId, service_id: serviceId, metric, question, from, to } = input;
  const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (alertId === null) {
    const host = await findHost(sql, organizationId, serviceId ?? '');
    if (serviceId === null || host === null)
      throw faultProblem('body', '/service_id', 'unknown_service', 'Is not the id of a service.');
    const window = windowOrFault(requestedWindow(asked, null, now));
    return { alert: null, serviceId, host, metric, question, window };
  }
  const alert = await readInvestigatedAlert(sql, organizationId, alertId);
  if (alert === null) throw faultProblem('body', '/alert_id', 'unknown_alert', 'Is not the id of an alert.');
  const window = windowOrFault(requestedWindow(asked, alertWindow(alert, now), now));
  return { alert, serviceId: alert.serviceId, host: alert.host, metric: alert.metric, question, window };
}

function windowOrFault(window: ReturnType<typeof requestedWindow>): Requested['window'] {
  if (typeof window === 'string') throw faultProblem('body', '/from', 'out_of_range', WINDOW_FAULTS[window]);
  return window;
}
