import { type AlertsQuery, alertSchema, alertsQuerySchema } from '@tidewatch/contracts/alerts/alert';
import { alertEvidenceSchema } from '@tidewatch/contracts/alerts/evidence';
import { pickFields } from '@tidewatch/contracts/values/fields';
import type { AlertFilter } from '@tidewatch/store/alerts/filter';
import { ALERT_ORDERS, exportAlerts, listAlerts, readAlert } from '@tidewatch/store/alerts/list';
import { listAlertsAsOf } from '@tidewatch/store/alerts/list-as-of';
import { readEvidence } from '@tidewatch/store/alerts/transitions';
import type { Transaction } from '@tidewatch/store/database/connection';

import { requireWithinReach } from '../http/as-of.ts';
import { sendTagged } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { answerList, type List } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof ALERT_ORDERS> = {
  noun: 'alerts',
  orders: ALERT_ORDERS,
  usual: { field: 'fired_at', descending: true },
};

/** `/api/v1/alerts` and `/api/v1/alerts/:id`; mounted after the rules, whose path would match as an id. */
export function createAlertHandlers({ sql, clock }: QueryApiOptions, exporter: Exporter): Handlers {
  return {
    async listAlerts(request, response) {
      const query = queryOf(request, alertsQuerySchema);
      const organizationId = organizationOf(response);
      const { as_of: asOf, sort = LIST.usual, fields } = query;
      const filter = filterOf(query);
      const format = formatOf(request, response, query.format);
      if (format !== 'json') {
        const order = { ...ALERT_ORDERS[sort.field], descending: sort.descending };
        const rows = (tx: Transaction) => exportAlerts(tx, organizationId, filter, order);
        return exporter.send(request, response, { format, shape: alertSchema.shape, fields, rows });
      }
      if (asOf !== undefined) requireWithinReach(asOf, clock());
      await answerList(request, response, LIST, query, (window, order) =>
        asOf === undefined
          ? listAlerts(sql, organizationId, filter, order, window)
          : listAlertsAsOf(sql, organizationId, filter, asOf, order, window),
      );
    },

    async getAlert(request, response) {
      const id = idOf(request, 'alr');
      const fields = fieldsOf(request, alertSchema.shape);
      const alert = found(await readAlert(sql, organizationOf(response), id));
      sendTagged(request, response, pickFields(alert, fields), null);
    },

    async getAlertEvidence(request, response) {
      const id = idOf(request, 'alr');
      const fields = fieldsOf(request, alertEvidenceSchema.shape);
      const evidence = found(await readEvidence(sql, organizationOf(response), id));
      sendTagged(request, response, pickFields(evidence, fields), null);
    },
  };
}

function filterOf(query: AlertsQuery): AlertFilter {
  const {
    status,
    severity,
    acknowledged,
    service_id: serviceId,
    rule_id: ruleId,
    host,
    from,
    to,
    shadow,
  } = query;
  const filter = { severity, acknowledged, serviceId, ruleId, host, from, to, shadow };
  return { ...filter, status: status === 'all' ? undefined : status };
}
