import { notificationsQuerySchema } from '@tidewatch/contracts/notifications/notification';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import { TOLD_WITHIN_MS } from '@tidewatch/domain/notification/suppression';
import {
  listNotifications,
  readNotification,
  requeueNotification,
} from '@tidewatch/store/notifications/list';
import type { Request, Response, Router } from 'express';
import { paginate, readWindow } from '../http/list-page.ts';
import { found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../service.ts';

const NOTIFICATIONS = '/api/v1/notifications';

/** `/api/v1/notifications` and redelivery. */
export function addNotificationRoutes(router: Router, { sql, authenticate, clock }: QueryApiOptions): void {
  router.get(NOTIFICATIONS, authenticate('read'), async (request: Request, response: Response) => {
    const { limit, offset, cursor, ...filters } = queryOf(request, notificationsQuerySchema);
    const context = { list: 'notifications', filters, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
    const filter = { alertId: filters.alert_id, status: filters.status };
    const part = await listNotifications(sql, organizationOf(response), filter, window);
    const { rows, pagination } = paginate(part, window, context, (notification) => [
      Date.parse(notification.created_at),
      notification.id,
    ]);
    response.json({ notifications: rows, pagination });
  });

  router.post(
    `${NOTIFICATIONS}/:id/redeliver`,
    authenticate('write'),
    async (request: Request, response: Response) => {
      const of = { organizationId: organizationOf(response), id: idOf(request, 'ntf') };
      found(await readNotification(sql, of.organizationId, of.id));
      const queued = await requeueNotification(sql, of, clock(), clock() + TOLD_WITHIN_MS);
      if (queued === null)
        throw new ProblemError('conflict', { detail: 'It was never meant for a channel that exists.' });
      response.status(202).json(queued);
    },
  );
}
