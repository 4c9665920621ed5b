import type { METRIC_ROUTES } from '@tidewatch/contracts/metrics/metric-routes';
import { listMetrics, METRIC_ORDERS } from '@tidewatch/store/metrics/list';

import { answerList, type List } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createFleetQueryHandler } from './fleet-query-route.ts';

const METRICS: List<'name' | 'services'> = {
  noun: 'metrics',
  orders: METRIC_ORDERS,
  usual: { field: 'name', descending: false },
  tie: 'name',
};

/** Handlers of `/api/v1/metrics` and `/api/v1/query`. */
export function createMetricHandlers(
  options: QueryApiOptions,
  queries: OrganizationShare,
): Handlers<typeof METRIC_ROUTES> {
  const { sql } = options;

  return {
    listMetrics: answerList(METRICS, ({ organizationId }, { q }, window, order) =>
      listMetrics(sql, organizationId, q, order, window),
    ),

    queryMetric: createFleetQueryHandler(options, queries),
  };
}
