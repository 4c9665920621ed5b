import { etagHeaders, idParameter, ifNoneMatchHeader, NOT_MODIFIED, type Route } from '../document/route.ts';
import { notificationSchema, notificationsPageSchema, notificationsQuerySchema } from './notification.ts';

const JSON_TYPE = 'application/json';

/** What channels were told. */
export const NOTIFICATION_ROUTES: readonly Route[] = [
  {
    operationId: 'listNotifications',
    method: 'get',
    path: '/api/v1/notifications',
    tag: 'Notifications',
    summary: 'List notifications',
    description: 'What channels were told, are to be told, or were not told and why, newest first.',
    scope: 'read',
    query: notificationsQuerySchema,
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'A page of notifications.',
        content: { type: JSON_TYPE, schema: notificationsPageSchema },
        headers: etagHeaders,
      },
      NOT_MODIFIED,
    ],
    problems: ['validation_failed'],
  },
  {
    operationId: 'redeliverNotification',
    method: 'post',
    path: '/api/v1/notifications/{id}/redeliver',
    tag: 'Notifications',
    summary: 'Deliver a notification once more',
    description:
      'Whatever became of it, it is sent again as it was, with the same event id. One that is queued is tried at once.',
    scope: 'write',
    parameters: idParameter('ntf', 'notification'),
    answers: [
      {
        status: 202,
        description: 'The notification, queued.',
        content: { type: JSON_TYPE, schema: notificationSchema },
      },
    ],
    problems: ['not_found', 'conflict'],
  },
];
