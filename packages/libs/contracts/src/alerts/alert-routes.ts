import { json } from '../document/answers.ts';
import { pagesOrExports, reads, readsById } from '../document/operations.ts';
import {
  defineRoutes,
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  linksById,
  NOT_MODIFIED,
} from '../document/route.ts';
import { alertSchema, alertsPageSchema, alertsQuerySchema } from './alert.ts';
import { alertCountsQuerySchema, alertCountsSchema, COUNT_BOUNDS } from './alert-counts.ts';
import { alertEvidenceSchema } from './evidence.ts';

/** The routes of alerts and their evidence. */
export const ALERT_ROUTES = defineRoutes('Alerts', [
  {
    ...pagesOrExports(alertsQuerySchema, 'A page of alerts.', alertsPageSchema),
    operationId: 'listAlerts',
    path: '/api/v1/alerts',
    summary: 'List alerts',
    description: 'By the time they fired, newest first; active ones unless `status` says otherwise.',
  },
  {
    ...reads(alertCountsQuerySchema, 'The counts.', alertCountsSchema),
    operationId: 'countAlerts',
    path: '/api/v1/alerts/counts',
    summary: 'Count alerts',
    description: `How many fired in a range and what came of them: in all, by rule, service or severity, and for each step. Of the last seven days unless \`from\` and \`to\` say otherwise; a range with more than ${COUNT_BOUNDS.alerts} alerts is refused.`,
  },
  {
    operationId: 'getAlert',
    method: 'get',
    path: '/api/v1/alerts/{id}',
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
    ...readsById('alr', 'alert', 'The evidence.', alertEvidenceSchema),
    operationId: 'getAlertEvidence',
    path: '/api/v1/alerts/{id}/evidence',
    summary: 'Read what led to an alert',
    description:
      'Its transitions, the samples that opened, fired and closed it, and how long each step took.',
  },
]);
