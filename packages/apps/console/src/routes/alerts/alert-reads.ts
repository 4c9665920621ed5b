import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components } from '@tidewatch/api-client/generated/api';
import { api } from '../../api/client.ts';
import type { AlertFilter } from '../../live/alert-filter.ts';
import type { RelatedAlerts } from './related-groups.ts';

export type Alert = components['schemas']['Alert'];
export type Evidence = components['schemas']['AlertEvidence'];

/** Values move without events: an open alert is read as often as hosts usually report, ms. */
const OPEN_ALERT_MS = 10_000;
const PAGE_SIZE = 50;
/** Relatives of an alert that a page lists at most. */
const MAX_RELATED = 20;

type AlertsQuery = Omit<AlertFilter, 'status'> & {
  status?: string | undefined;
  limit: number;
  cursor?: string;
};
type AlertsPage = components['schemas']['AlertsPage'];

/** A page of a list. The answer is no export, which is a text, since none is asked for. */
async function listAlerts(query: AlertsQuery, signal: AbortSignal): Promise<AlertsPage> {
  return (await api.get('/api/v1/alerts', { params: { query: query as never }, signal })) as AlertsPage;
}

export const alertRead = (id: string) =>
  queryOptions({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => api.get('/api/v1/alerts/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) => state.data?.status === 'active' && OPEN_ALERT_MS,
  });

export const evidenceRead = (id: string) =>
  queryOptions({
    queryKey: ['alert-evidence', id],
    queryFn: ({ signal }) => api.get('/api/v1/alerts/{id}/evidence', { params: { path: { id } }, signal }),
  });

export const ruleRead = (id: string) =>
  queryOptions({
    queryKey: ['rule', id],
    queryFn: ({ signal }) => api.get('/api/v1/alerts/rules/{id}', { params: { path: { id } }, signal }),
  });

/** A list of alerts, page by page. Events keep it current, so that it is read once. */
export const alertsRead = (filter: AlertFilter) =>
  infiniteQueryOptions({
    queryKey: ['alerts', filter],
    queryFn: ({ pageParam, signal }) =>
      listAlerts({ ...filter, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? null,
    placeholderData: undefined,
    // Events change one row each and keep the others; to compare all of them again took half the time of a busy list.
    structuralSharing: false,
  });

/** Alerts that fired around this one: on its host within an hour, and of its rule now or before. */
export const relatedRead = ({ id, service_id, rule_id, fired_at }: Alert) =>
  queryOptions({
    queryKey: ['related-alerts', { of: id }],
    queryFn: async ({ signal }): Promise<RelatedAlerts> => {
      const list = (query: Omit<AlertsQuery, 'limit'>) =>
        listAlerts({ ...query, limit: MAX_RELATED }, signal);
      const around = (ms: number) => new Date(Date.parse(fired_at) + ms).toISOString();
      const [ofHost, ofRule, earlier] = await Promise.all([
        list({ service_id, status: 'all', from: around(-3_600_000), to: around(3_600_000) }),
        list({ rule_id, status: 'active' }),
        list({ rule_id, service_id, status: 'all', to: fired_at }),
      ]);
      return { ofHost: ofHost.alerts, ofRule: ofRule.alerts, earlier: earlier.alerts };
    },
    staleTime: 30_000,
  });
