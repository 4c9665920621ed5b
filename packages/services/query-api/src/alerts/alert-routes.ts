import { type AlertsQuery, alertSchema, alertsQuerySchema } from '@tidewatch/contracts/alerts/alert';
import { alertEvidenceSchema } from '@tidewatch/contracts/alerts/evidence';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { readEvidence } from '@tidewatch/store/alerts/transitions';
import type { AlertFilter } from '@tidewatch/store/queries/alert-filter';
import { ALERT_ORDERS, listAlerts, readAlert } from '@tidewatch/store/queries/alert-list';
import type { Request, Response, Router } from 'express';
import { sendTagged } from '../http/entity-tag.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../service.ts';

const LIST: List<keyof typeof ALERT_ORDERS> = {
  noun: 'alerts',
  orders: ALERT_ORDERS,
  usual: { field: 'fired_at', descending: true },
};

/** `/api/v1/alerts` and `/api/v1/alerts/:id`; to be added after the rules, whose path looks like an id. */
export function addAlertRoutes(router: Router, { sql, authenticate }: QueryApiOptions): void {
  router.get('/api/v1/alerts', authenticate('read'), async (request: Request, response: Response) => {
    const query = queryOf(request, alertsQuerySchema);
    await answerList(request, response, LIST, query, (window, order) =>
      listAlerts(sql, organizationOf(response), filterOf(query), order, window),
    );
  });

  router.get('/api/v1/alerts/:id', authenticate('read'), async (request: Request, response: Response) => {
    const id = idOf(request, 'alr');
    const fields = fieldsOf(request, alertSchema.shape);
    const alert = found(await readAlert(sql, organizationOf(response), id));
    sendTagged(request, response, pickFields(alert, fields), null);
  });

  router.get(
    '/api/v1/alerts/:id/evidence',
    authenticate('read'),
    async (request: Request, response: Response) => {
      const id = idOf(request, 'alr');
      const fields = fieldsOf(request, alertEvidenceSchema.shape);
      const evidence = found(await readEvidence(sql, organizationOf(response), id));
      sendTagged(request, response, pickFields(evidence, fields), null);
    },
  );
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
