import { notificationsQuerySchema } from '@tidewatch/contracts/notifications/notification';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import { MAX_NOTICE_AGE_MS } from '@tidewatch/domain/notification/decide-notice';
import {
  listNotifications,
  NOTIFICATION_ORDERS,
  readNotification,
  requeueNotification,
} from '@tidewatch/store/notifications/list';

import { answerList, type List } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { auditTrailOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof NOTIFICATION_ORDERS> = {
  noun: 'notifications',
  orders: NOTIFICATION_ORDERS,
  usual: { field: 'created_at', descending: true },
};

/** `/api/v1/notifications` and redelivery. */
export function createNotificationHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  return {
    async listNotifications(request, response) {
      const query = queryOf(request, notificationsQuerySchema);
      const filter = { alertId: query.alert_id, status: query.status };
      await answerList(request, response, LIST, query, (window, order) =>
        listNotifications(sql, organizationOf(response), filter, order, window),
      );
    },

    async redeliverNotification(request, response) {
      const of = { organizationId: organizationOf(response), id: idOf(request, 'ntf') };
      found(await readNotification(sql, of.organizationId, of.id));
      const now = clock();
      const audit = auditTrailOf(request, response, { now, newId, config });
      const queued = await sql.begin((tx) =>
        requeueNotification(tx, of, now, now + MAX_NOTICE_AGE_MS, audit),
      );
      if (queued === null)
        throw new ProblemError('conflict', {
          detail: 'The notification has no channel, or its channel was deleted.',
        });
      response.json(queued);
    },
  };
}
