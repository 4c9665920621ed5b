import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import type { SERVICE_ROUTES } from '@tidewatch/contracts/services/service-routes';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { retainedTiers } from '@tidewatch/domain/rollup/buckets';
import { readSeries, TooManyPointsError } from '@tidewatch/store/series/read';
import { findHost } from '@tidewatch/store/services/host';
import { clientGone } from '../http/client-gone.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { seriesBody } from './series-body.ts';
import { planRequested } from './series-plan.ts';
import { SERIES_ROW, seriesRows } from './series-rows.ts';

/** Requests that take longer than this to read series are logged, ms. */
const SLOW_MS = 1_000;
/** The max number of points in a response; exports have no such limit. */
const MAX_POINTS = 1_000_000;
/** The number of points above which a query shares the queue of queries over many hosts. */
const HEAVY_POINTS = 200_000;

/** Answers `GET /api/v1/services/:id/metrics`. */
export function createSeriesHandler(
  { sql, clock, config, metrics, logger }: QueryApiOptions,
  exporter: Exporter,
  queries: OrganizationShare,
): HandlerOf<typeof SERVICE_ROUTES, 'getServiceMetrics'> {
  return async (call) => {
    const began = performance.now();
    const now = clock();
    const { id, query, organizationId, request, response } = call;
    const host = found(await findHost(sql, organizationId, id));
    const to = query.to ?? now;
    const from = query.from ?? to - HOUR_MS;
    const requested = { in: 'query' as const, step: query.step, to: query.to };
    const plan = planRequested(requested, { from, to, now, retention: config.retention });
    const subject = query.subject ?? { kind: 'host' as const, name: host };
    const asked = {
      organizationId,
      serviceId: id,
      subject,
      metrics: query.metrics,
      tier: plan.tier,
      stepMs: plan.stepMs,
      from: Math.max(from, plan.retainedFrom),
      to,
      retained: retainedTiers(now, config.retention),
    };
    const format = formatOf(request, response, query.format);
    if (format !== 'json') {
      const rows = (tx: Transaction) => seriesRows(tx, { host, ...asked });
      return exporter.send(request, response, { format, shape: SERIES_ROW, rows });
    }
    const steps = Math.ceil((to - asked.from) / plan.stepMs);
    const read = () => readSeries(sql, asked, MAX_POINTS);
    const isHeavy = steps * (query.metrics?.length ?? BOUNDS.metrics) > HEAVY_POINTS;
    const gone = clientGone(response);
    const series = await (isHeavy ? queries.run(organizationId, gone, read) : read()).catch(
      (error: unknown) => {
        throw error instanceof TooManyPointsError ? tooManyPoints() : error;
      },
    );
    metrics
      .counter('tidewatch_series_reads_total', 'Series answered, by the tier that they were read from.', [
        'tier',
      ])
      .inc({ tier: plan.tier }, series.length);
    const took = performance.now() - began;
    if (took > SLOW_MS)
      logger.warn(
        { serviceId: id, tier: plan.tier, ms: Math.round(took) },
        'slow query: a series took long to read',
      );
    const head = {
      service_id: id,
      host,
      subject,
      from: toIso(from),
      to: toIso(to),
      step_seconds: plan.stepMs / 1_000,
      tier: plan.tier,
    };
    const body = await seriesBody(head, series);
    // Released only after everything was handed to the operating system; the memory of an aborted response is garbage
    // collected.
    response.once('finish', () => body.release());
    response.type('json').send(body.finish());
  };
}

function tooManyPoints() {
  const message = `Would answer more than ${MAX_POINTS} points: name fewer metrics, a shorter range or a longer step, or ask for format=ndjson.`;
  return faultProblem('query', '/metrics', 'too_large', message);
}
