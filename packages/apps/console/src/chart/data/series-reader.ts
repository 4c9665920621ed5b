import type { Schema } from '@tidewatch/api-client/schema';
import { api } from '../../api/client.ts';
import type { ChartPoint } from './gaps.ts';
import type { Range } from './range.ts';

/** One metric of a host or of one of its containers, in steps. */
export interface Series {
  points: ChartPoint[];
  stepMs: number;
  tier: string;
}

export interface SeriesRequest extends Range {
  serviceId: string;
  /** `host`, or `container:` and a name. */
  subject: string;
  metric: string;
  stepMs: number;
}

interface Waiting {
  metric: string;
  resolve: (series: Series) => void;
  reject: (error: unknown) => void;
}

/** Requests of charts that come into view together are sent as one. */
const COLLECT_MS = 10;
/** The API takes a list of names up to this length, and a URL stays short. */
const MAX_METRICS = 20;

const collected = new Map<string, { request: SeriesRequest; waiting: Waiting[] }>();

/** Reads a series. Reads of the same range of one host within some milliseconds share a request. */
export function readSeries(request: SeriesRequest): Promise<Series> {
  const { serviceId, subject, from, to, stepMs, metric } = request;
  const key = [serviceId, subject, from, to, stepMs].join(' ');
  return new Promise((resolve, reject) => {
    const open = collected.get(key);
    if (open !== undefined) return void open.waiting.push({ metric, resolve, reject });
    collected.set(key, { request, waiting: [{ metric, resolve, reject }] });
    setTimeout(() => {
      const { waiting } = collected.get(key) ?? { waiting: [] };
      collected.delete(key);
      for (let start = 0; start < waiting.length; start += MAX_METRICS)
        void send(request, waiting.slice(start, start + MAX_METRICS));
    }, COLLECT_MS);
  });
}

async function send(request: SeriesRequest, waiting: readonly Waiting[]): Promise<void> {
  try {
    const answer = await api.get('/api/v1/services/{id}/metrics', {
      params: {
        path: { id: request.serviceId },
        query: seriesQuery(
          request,
          waiting.map(({ metric }) => metric),
        ),
      },
    });
    for (const { metric, resolve } of waiting) resolve(seriesOf(answer as Schema<'SeriesAnswer'>, metric));
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

function seriesQuery({ subject, from, to, stepMs }: SeriesRequest, metrics: readonly string[]) {
  return {
    metrics: metrics.map(quoted).join(','),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    step: `${stepMs / 1_000}s`,
    ...(subject !== 'host' && { subject }),
  };
}

/** The name as an entry of a list with commas between. */
function quoted(name: string): string {
  return name.replaceAll(/[\\,"]/g, (character) => `\\${character}`);
}

function seriesOf({ series, step_seconds, tier }: Schema<'SeriesAnswer'>, metric: string): Series {
  const points = series.find((each) => each.metric === metric)?.points ?? [];
  return {
    points: points.map(({ t, ...values }) => ({ t: Date.parse(t), ...values })),
    stepMs: step_seconds * 1_000,
    tier,
  };
}

/** The address of a series as CSV, which the API writes. */
export function seriesCsvUrl(request: SeriesRequest): string {
  const query = new URLSearchParams({ ...seriesQuery(request, [request.metric]), format: 'csv' });
  return `/api/v1/services/${request.serviceId}/metrics?${query}`;
}
