import { partOfSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { SeriesSubject } from '@tidewatch/contracts/services/series';
import { type Unit, unitOf } from '@tidewatch/contracts/values/unit';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { NO_POINTS, pointsOf, type SeriesPoints } from './points.ts';
import type { Place, StepsRequest } from './series-columns.ts';
import { storedSeries } from './stored-series.ts';

/** The series of a service to read. */
export interface SeriesRequest extends StepsRequest {
  organizationId: string;
  serviceId: string;
  subject: SeriesSubject;
  /** The metrics to read; undefined for all metrics of the subject, ordered by name. */
  metrics: readonly string[] | undefined;
}

interface MetricPlace extends Place {
  metric: string;
}

export interface MetricSeries {
  metric: string;
  unit: Unit | null;
  points: SeriesPoints;
}

export class TooManyPointsError extends Error {
  constructor(max: number) {
    super(`the series have more than ${max} points`);
    this.name = 'TooManyPointsError';
  }
}

/** The number of steps that one statement reads; their rows are merged without yielding to the event loop. */
const STEPS_AT_ONCE = 12_000;

/**
 * Reads one series for each requested metric, in order, from one snapshot of the database. Throws `TooManyPointsError` if they have
 * more than `maxPoints`.
 */
export async function readSeries(
  sql: Sql,
  request: SeriesRequest,
  maxPoints = Number.POSITIVE_INFINITY,
): Promise<MetricSeries[]> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    const places = await readPlaces(tx, request);
    const metrics = request.metrics ?? places.map((place) => place.metric);
    const byMetric = new Map<string, SeriesPoints>();
    let total = 0;
    const parts = partsOf(places, Math.ceil((request.to - request.from) / request.stepMs));
    const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
    const known = parts.length > 1 ? await storedSeries.know(tx, blockIds, request) : undefined;
    for (const part of parts) {
      for (const [{ metric }, steps] of await storedSeries.steps(tx, part, request, known)) {
        byMetric.set(metric, pointsOf(steps));
        total += steps.at.length;
      }
      if (total > maxPoints) throw new TooManyPointsError(maxPoints);
    }
    return metrics.map((metric) => ({
      metric,
      unit: unitOf(metric),
      points: byMetric.get(metric) ?? NO_POINTS,
    }));
  })) as MetricSeries[];
}

/** Groups the places of whole blocks so that each group has up to `STEPS_AT_ONCE` steps. */
function partsOf(places: readonly MetricPlace[], steps: number): MetricPlace[][] {
  const blocks = [...Map.groupBy(places, ({ blockId }) => blockId).values()];
  const atOnce = Math.max(1, Math.floor(STEPS_AT_ONCE / Math.max(1, steps)));
  const parts: MetricPlace[][] = [];
  for (let start = 0; start < blocks.length; start += atOnce)
    parts.push(blocks.slice(start, start + atOnce).flat());
  return parts;
}

/** Yields the series by name, a few metrics at a time, in the caller's transaction; series without samples are left out. */
export async function* exportSeries(
  tx: Transaction,
  request: SeriesRequest,
  metricsAtOnce: number,
): AsyncGenerator<MetricSeries> {
  const places = await readPlaces(tx, request);
  for (let start = 0; start < places.length; start += metricsAtOnce) {
    const part = places.slice(start, start + metricsAtOnce);
    const found = await storedSeries.steps(tx, part, request);
    for (const place of part) {
      const steps = found.get(place);
      if (steps !== undefined)
        yield { metric: place.metric, unit: unitOf(place.metric), points: pointsOf(steps) };
    }
  }
}

async function readPlaces(tx: Transaction, request: SeriesRequest): Promise<MetricPlace[]> {
  const { organizationId, serviceId, subject, metrics } = request;
  if (subject.kind === 'part') return readPlacesOfPart(tx, { ...request, part: subject.name });
  const rows = await tx<(MetricPlace & { first: number })[]>`
    select m.metric, b.id as "blockId", m.place::int - 1 as slot, case when b.ordinal = 0 then b.id else (
      select f.id from blocks f
      where f.organization_id = b.organization_id and f.service_id = b.service_id
        and f.subject_kind = b.subject_kind and f.subject_name = b.subject_name
      order by f.ordinal limit 1) end as first
    from blocks b cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId}
      and b.subject_kind = ${subject.kind} and b.subject_name = ${subject.name} and m.metric <> ''
      ${metrics === undefined ? tx`` : tx`and m.metric = any(${metrics as string[]}::text[])`}
    order by m.metric`;
  return rows.map(({ first, ...place }) => {
    return { ...place, owner: { organizationId, serviceId, firstBlockId: first } };
  });
}

/** The places of a part, given by its kind and its own name, such as `filesystem:/var`. */
export async function readPlacesOfPart(
  tx: Transaction,
  request: Pick<SeriesRequest, 'organizationId' | 'serviceId' | 'metrics'> & { part: string },
): Promise<MetricPlace[]> {
  const { organizationId, serviceId, part, metrics } = request;
  const { kind, name } = partOfSubject(part);
  return await tx<MetricPlace[]>`
    select m.metric, b.id as "blockId", m.place::int - 1 as slot
    from parts p
    join blocks b on b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part'
      and p.id = any(b.parts)
    cross join lateral unnest(b.metrics, b.parts) with ordinality as m (metric, part, place)
    where p.organization_id = ${organizationId} and p.service_id = ${serviceId} and p.kind = ${kind} and p.name = ${name}
      and m.part = p.id
      ${metrics === undefined ? tx`` : tx`and m.metric = any(${metrics as string[]}::text[])`}
    order by m.metric`;
}
