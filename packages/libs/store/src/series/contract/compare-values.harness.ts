import { TIERS } from '@tidewatch/contracts/rollups/tiers';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { TIER_MS } from '@tidewatch/domain/rollup/buckets';
import { expect } from 'vitest';
import type { BlockSpan, KnownBlocks, Place, Range } from '../series-columns.ts';
import { type Asked, metricsOfBlock } from './asked.harness.ts';

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Compares what a reader answers to random questions for values with the model. */
export async function compareValues(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  await compareSteps(tx, asked, moment);
  await compareSamples(tx, asked, moment);
  await compareNewest(tx, asked, moment);
}

async function compareSteps(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices, retained } = asked;
  const tier = choices.one(TIERS);
  const range = choices.range(tier !== 'raw' && choices.isTrue(0.3));
  const isDay = range.to - range.from > 2 * HOUR_MS;
  const stepMs =
    tier === 'raw'
      ? choices.one([1_000, 7_000, 90_000, HOUR_MS].slice(isDay ? 2 : 0))
      : TIER_MS[tier] * choices.one([1, 2, 5]);
  const some = choices.some(places);
  const known = await knownOrNot(tx, asked, some, range);
  const request = { ...range, tier, stepMs, retained };
  const steps = await reader.steps(tx, some, request, known);
  const means = await reader.means(tx, some, request, known);
  for (const place of some) {
    const what = `${moment}: steps ${JSON.stringify({ place, ...request })}`;
    const wanted = model.steps(place.host, place.metric, range, stepMs);
    const found = steps.get(place);
    const column = (name: 'at' | 'count' | 'min' | 'max') => wanted.map((step) => step[name]);
    for (const name of ['at', 'count', 'min', 'max'] as const)
      expect([...(found?.[name] ?? [])], `${what}, ${name}`).toEqual(column(name));
    expect([...(means.get(place)?.at ?? [])], what).toEqual(column('at'));
    for (const [index, { sum, count }] of wanted.entries()) {
      expect(found?.sum[index], what).toBeCloseTo(sum, 6);
      expect(means.get(place)?.mean[index], what).toBeCloseTo(sum / count, 6);
    }
  }
}

async function knownOrNot(
  tx: Transaction,
  { reader, choices }: Asked,
  places: readonly Place[],
  { from, to }: Range,
): Promise<KnownBlocks | undefined> {
  if (choices.isTrue(0.5)) return undefined;
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  return await reader.know(tx, blockIds, { from: from - HOUR_MS, to: to + HOUR_MS });
}

async function compareSamples(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices } = asked;
  const shared = choices.range(choices.isTrue(0.2));
  const withBackfill = choices.isTrue(0.5);
  const spans = choices.some(places).map((place) => {
    const range = choices.isTrue(0.3) ? choices.range(choices.isTrue(0.2)) : shared;
    return { ...place, ...range, firstOnly: choices.isTrue(0.2) };
  });
  const found = await reader.samples(tx, spans, { withBackfill });
  expect(found, moment).toHaveLength(spans.length);
  for (const [index, span] of spans.entries()) {
    const all = model.samples(span.host, span.metric, span);
    const kept = all.filter(({ isBackfilled }) => withBackfill || !isBackfilled);
    const wanted = span.firstOnly ? kept.slice(0, 1) : kept;
    const what = `${moment}: samples ${JSON.stringify({ ...span, withBackfill })}`;
    expect([...(found[index]?.times ?? [])], what).toEqual(wanted.map(({ time }) => time));
    expect([...(found[index]?.values ?? [])], what).toEqual(wanted.map(({ value }) => value));
  }
}

async function compareNewest(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices } = asked;
  const some = choices.some(places);
  const spans = [...new Map(some.map((place) => [place.blockId, place])).values()].map(
    ({ blockId, host }): BlockSpan & { host: string } => {
      const { from, to } = choices.range(choices.isTrue(0.2));
      return { blockId, host, from: choices.isTrue(0.3) ? ALWAYS.from : from, to };
    },
  );
  const newest = await reader.newestTimes(tx, spans);
  const bySlot = await reader.newestBySlot(tx, spans);
  for (const { host, ...span } of spans) {
    const what = `${moment}: newest ${JSON.stringify(span)}`;
    expect(newest.get(span.blockId), what).toBe(
      model.times(host, metricsOfBlock(asked, span.blockId), span).at(-1),
    );
    for (const place of places.filter(({ blockId }) => blockId === span.blockId)) {
      const wanted = model.samples(host, place.metric, span).at(-1)?.time ?? Number.NaN;
      expect(bySlot.get(span.blockId)?.[place.slot] ?? Number.NaN, `${what}, ${place.metric}`).toBe(wanted);
    }
  }
  const { to } = choices.range(false);
  const withinMs = Math.ceil(choices.random() * HOUR_MS);
  const values = await reader.newestValues(tx, some, { to, withinMs });
  for (const [index, { blockId, host, metric }] of some.entries()) {
    const last =
      model.times(host, metricsOfBlock(asked, blockId), { from: ALWAYS.from, to }).at(-1) ?? Number.NaN;
    const own = model.samples(host, metric, { from: last - withinMs + 1, to }).at(-1);
    const wanted = own === undefined ? null : { time: own.time, value: own.value };
    expect(values[index], `${moment}: values ${JSON.stringify({ blockId, metric, to, withinMs })}`).toEqual(
      wanted,
    );
  }
}
