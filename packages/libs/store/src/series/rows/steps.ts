import type { Queryable } from '@tidewatch/database/connection';
import { TIER_MS } from '@tidewatch/domain/rollup/buckets';
import type { KnownBlocks, Place, StepMeans, Steps, StepsRequest } from '../series-columns.ts';
import { factsOf, untouched } from './known-rows.ts';
import { collectMeans, meansOf, mergeSteps, type PackedRow } from './merge-steps.ts';
import { spansOf } from './spans.ts';
import { type Measures, stepsStatement } from './steps-statement.ts';

/** Reads the steps of slots of blocks by one statement. */
export async function readSteps<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, Steps>> {
  return byPlace(places, await readRows(tx, places, request, 'all', known), mergeSteps);
}

/** Reads only the means, which is a fourth of the data if each step has one row. */
export async function readMeans<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, StepMeans>> {
  const isWhole = request.tier === '1m' && request.stepMs === TIER_MS['1m'] && !mayBeLate(request);
  if (isWhole) return byPlace(places, await readRows(tx, places, request, 'means', known), collectMeans);
  const steps = await readSteps(tx, places, request, known);
  return new Map([...steps].map(([place, own]) => [place, meansOf(own)]));
}

/** Whether the range may have backfilled samples, which are stored separately from the rollups. */
function mayBeLate({ tier, from, retained }: StepsRequest): boolean {
  return tier !== 'raw' && from < retained.raw;
}

async function readRows(
  tx: Queryable,
  places: readonly Place[],
  request: StepsRequest,
  measures: Measures,
  known: KnownBlocks | undefined,
): Promise<PackedRow[]> {
  const { tier, stepMs, from, to, retained } = request;
  const blockIds = [...new Set(places.map((place) => place.blockId))];
  if (blockIds.length === 0 || from >= to) return [];
  const blocks = tier === 'raw' ? blockIds.map(untouched) : await factsOf(tx, blockIds, { from, to }, known);
  const late = mayBeLate(request) ? blockIds.map((blockId) => ({ blockId, from, to })) : [];
  const spans = { ...spansOf(tier, { from, to }, retained, blocks), backfill: late };
  const statement = stepsStatement(spans, slotsOf(places), stepMs, measures);
  if (statement === null) return [];
  return (await tx
    .unsafe(statement.text, statement.parameters as never[])
    .values()) as unknown as PackedRow[];
}

function byPlace<P extends Place, R>(
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

function slotsOf(places: readonly Place[]): number[] {
  return [...new Set(places.map(({ slot }) => slot))].sort((a, b) => a - b);
}
