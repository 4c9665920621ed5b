import { answered, json } from '../document/answers.ts';
import { defineRoutes, idParameter, PROBLEMS_OF_BODIES } from '../document/route.ts';
import { alertSchema } from './alert.ts';
import { alertActionSchema, alertCommentSchema } from './alert-action.ts';

const action = {
  method: 'post',
  tag: 'Alerts',
  scope: 'write',
  parameters: idParameter('alr', 'alert'),
  body: [
    json(alertActionSchema, {
      said: { summary: 'With a comment', value: { comment: 'The disk was full; cleaned up.' } },
    }),
  ],
  bodyIsOptional: true,
} as const;

/** The routes of actions on an alert: acknowledge, resolve, comment. */
export const ALERT_ACTION_ROUTES = defineRoutes('Alerts', [
  {
    ...action,
    operationId: 'acknowledgeAlert',
    path: '/api/v1/alerts/{id}/acknowledge',
    summary: 'Acknowledge an alert',
    description: 'Once more changes nothing but adds a comment that is new. The alert goes on as before.',
    answers: [answered('The alert, acknowledged.', alertSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'not_found', 'alert_resolved'],
  },
  {
    ...action,
    operationId: 'resolveAlert',
    path: '/api/v1/alerts/{id}/resolve',
    summary: 'Resolve an alert by hand',
    description:
      'Its `resolution` is `manual`. If the breach goes on, the next breaching sample starts again, with an alert of ' +
      'its own. An alert that is resolved already stays as it is.',
    answers: [{ status: 200, description: 'The alert, resolved.', content: json(alertSchema) }],
    problems: [...PROBLEMS_OF_BODIES, 'not_found'],
  },
  {
    operationId: 'commentAlert',
    method: 'post',
    path: '/api/v1/alerts/{id}/comments',
    summary: 'Comment on an alert',
    description: 'Active or resolved; nothing else of the alert changes, and no event is emitted.',
    scope: 'write',
    parameters: idParameter('alr', 'alert'),
    body: [
      json(alertCommentSchema, {
        said: { summary: 'A comment', value: { comment: 'The disk was full; cleaned up.' } },
      }),
    ],
    answers: [answered('The alert, with the comment.', alertSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'not_found'],
  },
]);
