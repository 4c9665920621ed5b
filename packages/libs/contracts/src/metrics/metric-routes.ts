import { json } from '../document/answers.ts';
import { reads } from '../document/operations.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
import { fleetAnswerSchema, fleetQuerySchema } from './fleet-query.ts';
import { metricsPageSchema, metricsQuerySchema } from './metric.ts';

const BUSIEST = {
  metric: 'cpu_percent',
  selector: { tags: { environment: 'production' } },
  from: '2026-11-21T13:00:00.000Z',
  to: '2026-11-21T14:00:00.000Z',
  step: '5m',
  aggregate: 'p95',
  group_by: 'region',
  top: 5,
};

const FULLEST = {
  metric: 'filesystem.used_percent',
  selector: { tags: { environment: 'production' }, part_labels: { type: ['ext4', 'xfs'] } },
  by: 'subject',
  aggregate: 'max',
  top: 10,
};

/** The routes of metrics and of queries over many hosts. */
export const METRIC_ROUTES = defineRoutes('Metrics', [
  {
    ...reads(metricsQuerySchema, 'A page of metrics.', metricsPageSchema),
    operationId: 'listMetrics',
    path: '/api/v1/metrics',
    summary: 'List metrics',
    description:
      'The metrics of hosts by name, and those of parts by kind and name, such as `filesystem.used_percent`, with how many services have each. Archived services do not count.',
  },
  {
    operationId: 'queryMetric',
    method: 'post',
    path: '/api/v1/query',
    summary: 'Query one metric of many hosts',
    description:
      'Aggregates over hosts, or over parts of hosts, what each has on average in a step, exactly. A query may read 2,000,000 rows and answer 200,000 points; one that takes more is refused with what is allowed. Archived services are part of it, deleted ones are not.',
    scope: 'read',
    body: [
      json(fleetQuerySchema, {
        busiest: { summary: 'The five busiest regions of an hour', value: BUSIEST },
        fullest: { summary: 'The ten fullest filesystems', value: FULLEST },
      }),
    ],
    answers: [{ status: 200, description: 'The series.', content: json(fleetAnswerSchema) }],
    problems: PROBLEMS_OF_BODIES,
  },
]);
