import type { NOTIFICATION_ROUTES } from '@tidewatch/contracts/notifications/notification-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_NOTICE_AGE_MS } from '@tidewatch/domain/notification/decide-notice';
import {
  listNotifications,
  NOTIFICATION_ORDERS,
  readNotification,
  requeueNotification,
} from '@tidewatch/store/notifications/list';

import { answerList, type List } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof NOTIFICATION_ORDERS> = {
  noun: 'notifications',
  orders: NOTIFICATION_ORDERS,
  usual: { field: 'created_at', descending: true },
};

/** Handlers of `/api/v1/notifications` and of redelivery. */
export function createNotificationHandlers(options: QueryApiOptions): Handlers<typeof NOTIFICATION_ROUTES> {
  const { sql } = options;
  return {
    listNotifications: answerList(LIST, ({ organizationId }, query, window, order) =>
      listNotifications(sql, organizationId, query, order, window),
    ),

    async redeliverNotification(call) {
      const of = { organizationId: call.organizationId, id: call.id };
      found(await readNotification(sql, of.organizationId, of.id));
      const { now, audit } = call.change(options);
      const queued = await sql.begin((tx) =>
        requeueNotification(tx, of, now, now + MAX_NOTICE_AGE_MS, audit),
      );
      if (queued === null)
        throw new ProblemError('conflict', {
          detail: 'The notification has no channel, or its channel was deleted.',
        });
      call.response.json(queued);
    },
  };
}
