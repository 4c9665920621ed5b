import { alertsQuerySchema } from '@tidewatch/contracts/alerts/alert';
import { readEvidence } from '@tidewatch/store/alerts/transitions';
import { listAlerts, readAlert } from '@tidewatch/store/queries/alert-list';
import type { Request, Response, Router } from 'express';
import { paginate, readWindow } from '../http/list-page.ts';
import { found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../service.ts';

/** `/api/v1/alerts` and `/api/v1/alerts/:id`; to be added after the rules, whose path looks like an id. */
export function addAlertRoutes(router: Router, { sql, authenticate }: QueryApiOptions): void {
  router.get('/api/v1/alerts', authenticate('read'), async (request: Request, response: Response) => {
    const { limit, offset, cursor, ...filters } = queryOf(request, alertsQuerySchema);
    const context = { list: 'alerts', filters, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
    const { status, service_id: serviceId, rule_id: ruleId, ...rest } = filters;
    const filter = { ...rest, serviceId, ruleId, status: status === 'all' ? undefined : status };
    const part = await listAlerts(sql, organizationOf(response), filter, window);
    const { rows, pagination } = paginate(part, window, context, (alert) => [
      Date.parse(alert.fired_at),
      alert.id,
    ]);
    response.json({ alerts: rows, pagination });
  });

  router.get('/api/v1/alerts/:id', authenticate('read'), async (request: Request, response: Response) => {
    const id = idOf(request, 'alr');
    response.json(found(await readAlert(sql, organizationOf(response), id)));
  });

  router.get(
    '/api/v1/alerts/:id/evidence',
    authenticate('read'),
    async (request: Request, response: Response) => {
      const id = idOf(request, 'alr');
      response.json(found(await readEvidence(sql, organizationOf(response), id)));
    },
  );
}
