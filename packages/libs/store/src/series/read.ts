import { partOfSubject } from '@tidewatch/contracts/ingest/part-subject';
import { perRollupTier, ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { SeriesSubject } from '@tidewatch/contracts/services/series';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Unit, unitOf } from '@tidewatch/contracts/values/unit';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { TIER_MS, type Tier } from '@tidewatch/domain/rollup/buckets';
import {
  collectMeans,
  emptyPoints,
  mergePoints,
  type PackedRow,
  type SeriesMeans,
  type SeriesPoints,
} from './points.ts';
import { type BlockFacts, spansOf } from './spans.ts';
import { type Measures, seriesStatement } from './statement.ts';

/** The series of a service to read. Times in ms, `[from, to)`; `retained`: the time from which on each tier has all rows. */
export interface SeriesRequest {
  organizationId: string;
  serviceId: string;
  subject: SeriesSubject;
  /** The metrics to read; undefined for all metrics of the subject, ordered by name. */
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
    for (const part of partsOf(places, Math.ceil((request.to - request.from) / request.stepMs))) {
      for (const [{ metric }, own] of await readPoints(tx, request, part)) {
        byMetric.set(metric, own);
        total += own.at.length;
      }
      if (total > maxPoints) throw new TooManyPointsError(maxPoints);
    }
    return metrics.map((metric) => ({
      metric,
      unit: unitOf(metric),
      points: byMetric.get(metric) ?? emptyPoints(),
    }));
  })) as MetricSeries[];
}

/** Groups the places of whole blocks so that each group has up to `STEPS_AT_ONCE` steps. */
function partsOf(places: readonly Place[], steps: number): Place[][] {
  const blocks = [...Map.groupBy(places, ({ blockId }) => blockId).values()];
  const atOnce = Math.max(1, Math.floor(STEPS_AT_ONCE / Math.max(1, steps)));
  const parts: Place[][] = [];
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
    const points = await readPoints(tx, request, part);
    for (const place of part) {
      const own = points.get(place);
      if (own !== undefined) yield { metric: place.metric, unit: unitOf(place.metric), points: own };
    }
  }
}

async function readPlaces(tx: Transaction, request: SeriesRequest): Promise<Place[]> {
  const { organizationId, serviceId, subject, metrics } = request;
  if (subject.kind === 'part') return readPlacesOfPart(tx, { ...request, part: subject.name });
  return await tx<Place[]>`
    select m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId}
      and b.subject_kind = ${subject.kind} and b.subject_name = ${subject.name} and m.metric <> ''
      ${metrics === undefined ? tx`` : tx`and m.metric = any(${metrics as string[]}::text[])`}
    order by m.metric`;
}

/** The places of a part, given by its kind and its own name, such as `filesystem:/var`. */
export async function readPlacesOfPart(
  tx: Transaction,
  request: Pick<SeriesRequest, 'organizationId' | 'serviceId' | 'metrics'> & { part: string },
): Promise<Place[]> {
  const { organizationId, serviceId, part, metrics } = request;
  const { kind, name } = partOfSubject(part);
  return await tx<Place[]>`
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

/** Which steps of blocks to read. Times in ms, `[from, to)`; `retained`: the time from which on each tier has all rows. */
export type SeriesSteps = Pick<SeriesRequest, 'tier' | 'stepMs' | 'from' | 'to' | 'retained'>;

type BlockPlace = Pick<Place, 'blockId' | 'slot'>;
/** Results of `readFacts` by block id. */
export type KnownBlocks = ReadonlyMap<number, BlockFacts>;

/**
 * Reads the points of slots of blocks; slots without points are left out. `known` are facts of the blocks from the same
 * snapshot for this range or a longer one, if they have been read before.
 */
export async function readPoints<P extends BlockPlace>(
  tx: Transaction,
  steps: SeriesSteps,
  places: readonly P[],
  known?: KnownBlocks,
): Promise<Map<P, SeriesPoints>> {
  return byPlace(places, await readRows(tx, steps, places, 'points', known), mergePoints);
}

/** Reads only the means, which is a fourth of the data if each step has one row. */
export async function readMeans<P extends BlockPlace>(
  tx: Transaction,
  steps: SeriesSteps,
  places: readonly P[],
  known?: KnownBlocks,
): Promise<Map<P, SeriesMeans>> {
  const isWhole = steps.tier === '1m' && steps.stepMs === TIER_MS['1m'] && !mayBeLate(steps);
  if (!isWhole) return await readPoints(tx, steps, places, known);
  return byPlace(places, await readRows(tx, steps, places, 'means', known), collectMeans);
}

/** Whether the range may have backfilled samples, which are stored separately from the rollups. */
function mayBeLate({ tier, from, retained }: SeriesSteps): boolean {
  return tier !== 'raw' && from < retained.raw;
}

async function readRows(
  tx: Transaction,
  steps: SeriesSteps,
  places: readonly BlockPlace[],
  measures: Measures,
  known: KnownBlocks | undefined,
): Promise<PackedRow[]> {
  const { tier, stepMs, from, to, retained } = steps;
  const blockIds = [...new Set(places.map((place) => place.blockId))];
  if (blockIds.length === 0 || from >= to) return [];
  const blocks = tier === 'raw' ? blockIds.map(untouched) : await factsOf(blockIds);
  const late = mayBeLate(steps) ? blockIds.map((blockId) => ({ blockId, from, to })) : [];
  const spans = { ...spansOf(tier, { from, to }, retained, blocks), backfill: late };
  const statement = seriesStatement(spans, slotsOf(places), stepMs, measures);
  if (statement === null) return [];
  return (await tx
    .unsafe(statement.text, statement.parameters as never[])
    .values()) as unknown as PackedRow[];

  async function factsOf(ids: readonly number[]): Promise<BlockFacts[]> {
    return known === undefined
      ? await readFacts(tx, ids, from, to)
      : ids.flatMap((id) => known.get(id) ?? []);
  }
}

function byPlace<P extends BlockPlace, R>(
  places: readonly P[],
  rows: readonly PackedRow[],
  merge: (rows: PackedRow[], slots: number) => R[],
): Map<P, R> {
  const slots = slotsOf(places);
  const merged = new Map(
    [...Map.groupBy(rows, ([blockId]) => blockId)].map(([blockId, own]) => [
      blockId,
      merge(own, slots.length),
    ]),
  );
  const found = new Map<P, R>();
  for (const place of places) {
    const own = merged.get(place.blockId)?.[slots.indexOf(place.slot)];
    if (own !== undefined) found.set(place, own);
  }
  return found;
}

function slotsOf(places: readonly BlockPlace[]): number[] {
  return [...new Set(places.map(({ slot }) => slot))].sort((a, b) => a - b);
}

/** Reads, by block id, up to when blocks are rolled up and which buckets are stale. */
export async function readKnownBlocks(
  tx: Transaction,
  blockIds: readonly number[],
  from: number,
  to: number,
): Promise<KnownBlocks> {
  const facts = await readFacts(tx, blockIds, from, to);
  return new Map(facts.map((each) => [each.blockId, each]));
}

const NEVER = Number.NEGATIVE_INFINITY;
const OPEN_FROM = ROLLUP_TIERS.map((tier) => `open_${tier} as "${tier}"`).join(', ');

/** Reads up to when blocks are rolled up, and which buckets that touch `[from, to)` are stale. */
export async function readFacts(
  tx: Transaction,
  blockIds: readonly number[],
  from: number,
  to: number,
): Promise<BlockFacts[]> {
  const [standing, stale] = await Promise.all([
    tx<(Record<RollupTier, number | null> & { blockId: number })[]>`
      select block_id as "blockId", ${tx.unsafe(OPEN_FROM)}
      from rollup_standing(${blockIds as number[]}::int[])`,
    tx<{ blockId: number; tier: RollupTier; bucket: number }[]>`
      select block_id as "blockId", tier, bucket
      from stale_buckets(${blockIds as number[]}::int[], ${from - DAY_MS}, ${to + DAY_MS})`,
  ]);
  const facts = new Map(
    standing.map(({ blockId, ...open }) => {
      const openFrom = perRollupTier((tier) => open[tier] ?? NEVER);
      return [blockId, { blockId, openFrom, dirty: [] as (typeof stale)[number][] }];
    }),
  );
  for (const mark of stale) facts.get(mark.blockId)?.dirty.push(mark);
  return [...facts.values()];
}

function untouched(blockId: number): BlockFacts {
  return { blockId, openFrom: perRollupTier(() => NEVER), dirty: [] };
}
