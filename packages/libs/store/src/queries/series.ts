import type { Subject } from '@tidewatch/contracts/values/subject';
import { type Unit, unitOf } from '@tidewatch/contracts/values/unit';
import type { Tier } from '@tidewatch/domain/rollup/tier';
import type { Sql, Transaction } from '../connection.ts';
import { emptyPoints, mergePoints, type PackedRow, type SeriesPoints } from './series-points.ts';
import { type BlockFacts, spansOf } from './series-spans.ts';
import { seriesStatement } from './series-statement.ts';

/** What of a service to read. Times in ms, `[from, to)`; `retained` is from when on each tier holds everything. */
export interface SeriesRequest {
  organizationId: string;
  serviceId: string;
  subject: Subject;
  /** Undefined: all metrics of the subject, by name. */
  metrics: readonly string[] | undefined;
  tier: Tier;
  stepMs: number;
  from: number;
  to: number;
  retained: Readonly<Record<Tier, number>>;
}

interface Place {
  metric: string;
  blockId: number;
  slot: number;
}

export interface MetricSeries {
  metric: string;
  unit: Unit | null;
  points: SeriesPoints;
}

/** One series for each metric asked for, in that order, from one snapshot of the database. */
export async function readSeries(sql: Sql, request: SeriesRequest): Promise<MetricSeries[]> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    const places = await readPlaces(tx, request);
    const metrics = request.metrics ?? places.map((place) => place.metric);
    const points = await readPoints(tx, request, places);
    const byMetric = new Map([...points].map(([{ metric }, own]) => [metric, own]));
    return metrics.map((metric) => ({
      metric,
      unit: unitOf(metric),
      points: byMetric.get(metric) ?? emptyPoints(),
    }));
  })) as MetricSeries[];
}

/** The same, some metrics at a time and by name, in the caller's transaction; metrics without samples are left out. */
export async function* exportSeries(
  tx: Transaction,
  request: SeriesRequest,
  metricsAtOnce: number,
): AsyncGenerator<MetricSeries> {
  const places = await readPlaces(tx, request);
  for (let start = 0; start < places.length; start += metricsAtOnce) {
    const part = places.slice(start, start + metricsAtOnce);
    const points = await readPoints(tx, request, part);
    for (const place of part) {
      const own = points.get(place);
      if (own !== undefined) yield { metric: place.metric, unit: unitOf(place.metric), points: own };
    }
  }
}

async function readPlaces(tx: Transaction, request: SeriesRequest): Promise<Place[]> {
  const { organizationId, serviceId, subject, metrics } = request;
  return await tx<Place[]>`
    select m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where b.org_id = ${organizationId} and b.service_id = ${serviceId}
      and b.subject_kind = ${subject.kind} and b.subject_name = ${subject.name} and m.metric <> ''
      ${metrics === undefined ? tx`` : tx`and m.metric = any(${metrics as string[]}::text[])`}
    order by m.metric`;
}

/** What to read of blocks. Times in ms, `[from, to)`; `retained` is from when on each tier holds everything. */
export type SeriesSteps = Pick<SeriesRequest, 'tier' | 'stepMs' | 'from' | 'to' | 'retained'>;

/** The points of the given slots of blocks, each by the place it was asked for with; places without any are left out. */
export async function readPoints<P extends { blockId: number; slot: number }>(
  tx: Transaction,
  { tier, stepMs, from, to, retained }: SeriesSteps,
  places: readonly P[],
): Promise<Map<P, SeriesPoints>> {
  const points = new Map<P, SeriesPoints>();
  const blockIds = [...new Set(places.map((place) => place.blockId))];
  if (blockIds.length === 0 || from >= to) return points;
  const blocks = tier === 'raw' ? blockIds.map(untouched) : await readFacts(tx, blockIds, from, to);
  const late =
    tier === 'raw' || from >= retained.raw ? [] : blockIds.map((blockId) => ({ blockId, from, to }));
  const slots = [...new Set(places.map((place) => place.slot))].sort((a, b) => a - b);
  const statement = seriesStatement(
    { ...spansOf(tier, { from, to }, retained, blocks), backfill: late },
    slots,
    stepMs,
  );
  if (statement === null) return points;
  const rows = (await tx
    .unsafe(statement.text, statement.parameters as never[])
    .values()) as unknown as PackedRow[];
  const merged = new Map(
    [...Map.groupBy(rows, ([blockId]) => blockId)].map(([blockId, own]) => [
      blockId,
      mergePoints(own, slots.length),
    ]),
  );
  for (const place of places) {
    const found = merged.get(place.blockId)?.[slots.indexOf(place.slot)];
    if (found !== undefined) points.set(place, found);
  }
  return points;
}

/** How far the rollups of blocks stand, and which buckets that touch `[from, to)` are stale. */
export async function readFacts(
  tx: Transaction,
  blockIds: readonly number[],
  from: number,
  to: number,
): Promise<BlockFacts[]> {
  const day = 86_400_000;
  const [standing, stale] = await Promise.all([
    tx<{ blockId: number; minute: number | null; hour: number | null; day: number | null }[]>`
      select block_id as "blockId", open_1m as minute, open_1h as hour, open_1d as day
      from rollup_standing(${blockIds as number[]}::int[])`,
    tx<{ blockId: number; tier: '1m' | '1h' | '1d'; bucket: number }[]>`
      select block_id as "blockId", tier, bucket
      from stale_buckets(${blockIds as number[]}::int[], ${from - day}, ${to + day})`,
  ]);
  const never = Number.NEGATIVE_INFINITY;
  const facts = new Map(
    standing.map(({ blockId, minute, hour, day }) => {
      const openFrom = { '1m': minute ?? never, '1h': hour ?? never, '1d': day ?? never };
      return [blockId, { blockId, openFrom, dirty: [] as (typeof stale)[number][] }];
    }),
  );
  for (const mark of stale) facts.get(mark.blockId)?.dirty.push(mark);
  return [...facts.values()];
}

function untouched(blockId: number): BlockFacts {
  const never = Number.NEGATIVE_INFINITY;
  return { blockId, openFrom: { '1m': never, '1h': never, '1d': never }, dirty: [] };
}
