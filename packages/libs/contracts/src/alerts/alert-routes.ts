import { json, readable } from '../document/answers.ts';
import {
  defineRoutes,
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  linksById,
  NOT_MODIFIED,
} from '../document/route.ts';
import { EXPORT_CONTENT } from '../queries/export.ts';
import { alertSchema, alertsPageSchema, alertsQuerySchema } from './alert.ts';
import { alertCountsQuerySchema, alertCountsSchema, COUNT_BOUNDS } from './alert-counts.ts';
import { alertEvidenceSchema } from './evidence.ts';

/** The routes of alerts and their evidence. */
export const ALERT_ROUTES = defineRoutes([
  {
    operationId: 'listAlerts',
    method: 'get',
    path: '/api/v1/alerts',
    tag: 'Alerts',
    summary: 'List alerts',
    description: 'By the time they fired, newest first; active ones unless `status` says otherwise.',
    scope: 'read',
    query: alertsQuerySchema,
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'A page of alerts.',
        content: [json(alertsPageSchema), ...EXPORT_CONTENT],
        headers: etagHeaders,
      },
      NOT_MODIFIED,
    ],
    problems: ['validation_failed', 'export_running'],
  },
  {
    operationId: 'countAlerts',
    method: 'get',
    path: '/api/v1/alerts/counts',
    tag: 'Alerts',
    summary: 'Count alerts',
    description: `How many fired in a range and what came of them: in all, by rule, service or severity, and for each step. Of the last seven days unless \`from\` and \`to\` say otherwise; a range with more than ${COUNT_BOUNDS.alerts} alerts is refused.`,
    scope: 'read',
    query: alertCountsQuerySchema,
    headers: ifNoneMatchHeader,
    answers: readable('The counts.', alertCountsSchema),
    problems: ['validation_failed'],
  },
  {
    operationId: 'getAlert',
    method: 'get',
    path: '/api/v1/alerts/{id}',
    tag: 'Alerts',
    summary: 'Read an alert',
    scope: 'read',
    parameters: idParameter('alr', 'alert'),
    query: fieldsOnly(alertSchema.shape),
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'The alert.',
        content: json(alertSchema),
        headers: etagHeaders,
        links: {
          ...linksById('getAlertEvidence', 'acknowledgeAlert', 'resolveAlert'),
          getService: '/service_id',
          getRule: '/rule_id',
        },
      },
      NOT_MODIFIED,
    ],
    problems: ['not_found', 'validation_failed'],
  },
  {
    operationId: 'getAlertEvidence',
    method: 'get',
    path: '/api/v1/alerts/{id}/evidence',
    tag: 'Alerts',
    summary: 'Read what led to an alert',
    description:
      'Its transitions, the samples that opened, fired and closed it, and how long each step took.',
    scope: 'read',
    parameters: idParameter('alr', 'alert'),
    query: fieldsOnly(alertEvidenceSchema.shape),
    headers: ifNoneMatchHeader,
    answers: readable('The evidence.', alertEvidenceSchema),
    problems: ['not_found', 'validation_failed'],
  },
]);
