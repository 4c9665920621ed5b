import { queryOptions } from '@tanstack/react-query';
import type { components } from '@tidewatch/api-client/generated/api';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { api, quietApi } from '../../api/client.ts';
import { PRIVILEGED } from '../../api/privileged-read.ts';
import { serverNow } from '../../components/time/clock.ts';
import { readReadiness } from './readiness.ts';

export type System = components['schemas']['System'];

const POLL_MS = 10_000;
/** The range of the curves: long enough to see what happened at night, ms. */
export const CURVE_MS = 12 * HOUR_MS;
const CURVE_STEP_SECONDS = 600;

export const readinessRead = () =>
  queryOptions({ queryKey: ['readiness'], queryFn: readReadiness, refetchInterval: POLL_MS });

/**
 * The state of all processes. It never opens the dialog "Confirm it is you": most of the page is read without, and the page
 * has a button for the rest.
 */
export const systemRead = () =>
  queryOptions({
    queryKey: ['system'],
    queryFn: ({ signal }) => quietApi.get('/api/v1/system', { signal }),
    refetchInterval: ({ state }) => (state.error === null ? POLL_MS : false),
    ...PRIVILEGED,
  });

/**
 * The highest value of a metric of Tidewatch that any host of the organization reports, over the last hours. It is read more
 * often while there is none, since people who start an agent wait for it.
 */
export const curveRead = (metric: string) =>
  queryOptions({
    queryKey: ['system-curve', metric],
    staleTime: MINUTE_MS,
    queryFn: async ({ signal }) => {
      const to = serverNow();
      const { series } = await api.post('/api/v1/query', {
        body: {
          metric,
          aggregate: 'max',
          from: new Date(to - CURVE_MS).toISOString(),
          to: new Date(to).toISOString(),
          step: CURVE_STEP_SECONDS,
        },
        signal,
      });
      const points = (series[0]?.points ?? []).map(({ t, value }) => ({ t: Date.parse(t), value }));
      return { points, range: { from: to - CURVE_MS, to, stepMs: CURVE_STEP_SECONDS * 1_000 } };
    },
    refetchInterval: ({ state }) => (state.data?.points.length === 0 ? POLL_MS : MINUTE_MS),
  });

/** A receipt of ingest. */
export const receiptRead = (id: string) =>
  queryOptions({
    queryKey: ['receipt', id],
    placeholderData: undefined,
    queryFn: ({ signal }) => api.get('/api/v1/ingest/receipts/{id}', { params: { path: { id } }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.records.some(({ stored_at, dead_lettered }) => stored_at === null && dead_lettered === null)
        ? POLL_MS / 5
        : false,
  });
