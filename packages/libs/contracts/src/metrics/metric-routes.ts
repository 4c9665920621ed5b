import type { Route } from '../document/route.ts';
import { metricsPageSchema, metricsQuerySchema } from './metric.ts';

const JSON_TYPE = 'application/json';

/** What is reported. */
export const METRIC_ROUTES: readonly Route[] = [
  {
    operationId: 'listMetrics',
    method: 'get',
    path: '/api/v1/metrics',
    tag: 'Metrics',
    summary: 'List metrics',
    description:
      'The metrics of hosts by name, with how many services have each. Archived services do not count.',
    scope: 'read',
    query: metricsQuerySchema,
    answers: [
      {
        status: 200,
        description: 'A page of metrics.',
        content: { type: JSON_TYPE, schema: metricsPageSchema },
      },
    ],
    problems: ['validation_failed'],
  },
];
