import { json } from '../document/answers.ts';
import { reads } from '../document/operations.ts';
import { defineRoutes, idParameter } from '../document/route.ts';
import { notificationSchema, notificationsPageSchema, notificationsQuerySchema } from './notification.ts';

/** The routes of notifications. */
export const NOTIFICATION_ROUTES = defineRoutes('Notifications', [
  {
    ...reads(notificationsQuerySchema, 'A page of notifications.', notificationsPageSchema),
    operationId: 'listNotifications',
    path: '/api/v1/notifications',
    summary: 'List notifications',
    description:
      'What channels were notified of, will be notified of, or were not notified of and why, newest first.',
  },
  {
    operationId: 'redeliverNotification',
    method: 'post',
    path: '/api/v1/notifications/{id}/redeliver',
    summary: 'Deliver a notification once more',
    description:
      'Whatever became of it, it is sent again as it was, with the same event id. One that is queued is tried at once.',
    scope: 'write',
    parameters: idParameter('ntf', 'notification'),
    answers: [
      {
        status: 202,
        description: 'The notification, queued.',
        content: json(notificationSchema),
      },
    ],
    problems: ['not_found', 'conflict'],
  },
]);
