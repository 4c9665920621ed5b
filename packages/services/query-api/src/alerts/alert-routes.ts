import { type AlertsQuery, alertSchema } from '@tidewatch/contracts/alerts/alert';
import type { ALERT_ROUTES } from '@tidewatch/contracts/alerts/alert-routes';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Transaction } from '@tidewatch/database/connection';
import type { AlertFilter } from '@tidewatch/store/alerts/filter';
import { ALERT_ORDERS, exportAlerts, listAlerts, readAlert } from '@tidewatch/store/alerts/list';
import { listAlertsAsOf } from '@tidewatch/store/alerts/list-as-of';
import { rankOfSeverity } from '@tidewatch/store/alerts/severity-rank';
import { readEvidence } from '@tidewatch/store/alerts/transitions';

import { requireWithinReach } from '../http/as-of.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { type List, sendList } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { answerObject } from '../http/object-answer.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createAlertCountsHandler } from './alert-counts-route.ts';

const LIST: List<keyof typeof ALERT_ORDERS> = {
  noun: 'alerts',
  orders: ALERT_ORDERS,
  usual: { field: 'fired_at', descending: true },
  keys: { severity: (severity) => rankOfSeverity(severity as Severity) },
};

/** Handlers of `/api/v1/alerts` and `/api/v1/alerts/:id`; mounted after the rules, whose path would match as an id. */
export function createAlertHandlers(
  options: QueryApiOptions,
  exporter: Exporter,
  queries: OrganizationShare,
): Handlers<typeof ALERT_ROUTES> {
  const { sql, clock } = options;
  return {
    async listAlerts(call) {
      const { query, organizationId, request, response } = call;
      const { as_of: asOf, sort = LIST.usual, fields } = query;
      const filter = filterOf(query);
      const format = formatOf(request, response, query.format);
      if (format !== 'json') {
        const order = { ...ALERT_ORDERS[sort.field], descending: sort.descending };
        const rows = (tx: Transaction) => exportAlerts(tx, organizationId, filter, order);
        return exporter.send(request, response, { format, shape: alertSchema.shape, fields, rows });
      }
      if (asOf !== undefined) requireWithinReach(asOf, clock());
      await sendList(call, LIST, query, (window, order) =>
        asOf === undefined
          ? listAlerts(sql, organizationId, filter, order, window)
          : listAlertsAsOf(sql, organizationId, filter, asOf, order, window),
      );
    },

    countAlerts: createAlertCountsHandler(options, queries),

    getAlert: answerObject(({ organizationId }, id) => readAlert(sql, organizationId, id)),

    getAlertEvidence: answerObject(({ organizationId }, id) => readEvidence(sql, organizationId, id)),
  };
}

function filterOf(query: AlertsQuery): AlertFilter {
  const { severity, acknowledged, host, from, to, shadow } = query;
  const status = query.status === 'all' ? undefined : query.status;
  const { service_id: serviceId, rule_id: ruleId } = query;
  return { status, severity, acknowledged, serviceId, ruleId, host, from, to, shadow };
}
