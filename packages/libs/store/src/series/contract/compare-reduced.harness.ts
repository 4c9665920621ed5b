import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { expect } from 'vitest';
import type { Range } from '../series-columns.ts';
import { type Asked, metricsOfBlock, type StoredPlace } from './asked.harness.ts';

/** Limits of a rule that breaches above 99.5 and is clear below 97. */
const LIMITS: Limits = {
  low: 99.5,
  high: Number.POSITIVE_INFINITY,
  outside: false,
  clearAbove: Number.NEGATIVE_INFINITY,
  clearBelow: 97,
  margin: 0,
};

/** Compares what a reader answers to random questions for times, minutes, hours and levels with the model. */
export async function compareReduced(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  await compareTimes(tx, asked, moment);
  await compareMinutes(tx, asked, moment);
  await compareLastTimes(tx, asked, moment);
  await compareHours(tx, asked, moment);
  await compareLevels(tx, asked, moment);
  const unknown = 2 ** 31 - 1;
  const blockIds = asked.places.map(({ blockId }) => blockId);
  expect(await asked.reader.emptyBlocks(tx, [...new Set(blockIds), unknown]), moment).toEqual([unknown]);
}

async function compareTimes(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices } = asked;
  const tier = choices.one(['raw', '1m'] as const);
  const width = tier === 'raw' ? 1 : MINUTE_MS;
  const range = choices.wholeRange(false, width);
  const blocks = new Map(choices.some(places).map(({ blockId, host }) => [blockId, host]));
  const wanted = new Map<number, number>();
  for (const [blockId, host] of blocks) {
    const times = model.times(host, metricsOfBlock(asked, blockId), range);
    for (const [at, own] of Map.groupBy(times, (time) => bucketOf(time, width)))
      wanted.set(at, Math.max(wanted.get(at) ?? 0, own.length));
  }
  const inOrder = [...wanted].sort(([a], [b]) => a - b);
  const found = await reader.rowTimes(tx, [...blocks.keys()], range, tier);
  const what = `${moment}: times ${JSON.stringify({ blocks: [...blocks], tier, ...range })}`;
  expect([...found.at], what).toEqual(inOrder.map(([at]) => at));
  expect([...found.count], what).toEqual(inOrder.map(([, count]) => count));
  expect(await reader.firstTime(tx, [...blocks.keys()], range, tier), what).toBe(inOrder[0]?.[0] ?? null);
}

async function compareMinutes(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices, retained } = asked;
  const withMean = choices.isTrue(0.5);
  const some = choices.some(places);
  const isKnown = choices.isTrue(0.5);
  const all = choices.wholeRange(true, DAY_MS);
  const blockIds = [...new Set(some.map(({ blockId }) => blockId))];
  const known = isKnown ? await reader.know(tx, blockIds, all) : undefined;
  const spans = some.map((place) => {
    const range = choices.isTrue(0.3) ? all : choices.range(false);
    return { ...place, ...range, firstOnly: choices.isTrue(0.3), mayBeBackfilled: choices.isTrue(0.7) };
  });
  const wanting = known === undefined ? spans : spans.map((span) => ({ ...span, known }));
  const found = await reader.minutes(tx, wanting, { retained, withMean });
  for (const [index, span] of spans.entries()) {
    const what = `${moment}: minutes ${JSON.stringify({ ...span, withMean })}`;
    const minutes = model.steps(span.host, span.metric, span, MINUTE_MS);
    const kept = minutes.filter(({ at }) => span.mayBeBackfilled || at >= retained.raw);
    const wanted = span.firstOnly ? kept.slice(0, 1) : kept;
    const own = found[index];
    const column = (name: 'at' | 'min' | 'max' | 'mean') =>
      [...(own?.[name] ?? [])].slice(0, span.firstOnly ? 1 : undefined);
    for (const name of ['at', 'min', 'max'] as const)
      expect(column(name), `${what}, ${name}`).toEqual(wanted.map((minute) => minute[name]));
    for (const [minute, { sum, count, min }] of wanted.entries())
      expect(column('mean')[minute], what).toBeCloseTo(withMean ? sum / count : min, 6);
  }
}

async function compareLastTimes(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices } = asked;
  const tier = choices.one(['raw', '1m'] as const);
  const max = 1 + Math.floor(choices.random() * 10);
  const spans = choices.some(places).map((place) => ({ ...place, ...choices.wholeRange(false, MINUTE_MS) }));
  const found = await reader.lastTimes(tx, spans, tier, max);
  for (const [index, span] of spans.entries()) {
    const samples = model.samples(span.host, span.metric, span).map(({ time }) => time);
    const own = [...(found[index] ?? [])];
    const what = `${moment}: last times ${JSON.stringify({ ...span, tier, max })}`;
    if (tier === 'raw') expect(own, what).toEqual(samples.slice(-max));
    else {
      const minutes = [...new Set(samples.map((time) => bucketOf(time, MINUTE_MS)))];
      const rolledUp = minutes.filter((at) => at < asked.rolledUpTo);
      expect(minutes, what).toEqual(expect.arrayContaining(own));
      expect(own.length, what).toBeLessThanOrEqual(max);
      if (span.to <= asked.rolledUpTo) expect(own, what).toEqual(rolledUp.slice(-max));
    }
  }
}

/** Limits, as a rule sees the max of an hour. */
function loudnessOf(max: number): number {
  return max >= LIMITS.low ? LOUD : max < LIMITS.clearBelow ? QUIET : UNCLEAR;
}

async function compareHours(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, model, places, choices, retained } = asked;
  const isLong = choices.isTrue(0.3);
  const range = choices.wholeRange(isLong, HOUR_MS);
  const leavesQuietOut = choices.isTrue(0.5);
  const some = choices.some(places);
  const slots = some.map(({ blockId, slot }) => ({ blockId, slot, limits: LIMITS }));
  const found = await reader.hours(tx, slots, { ...range, retained, leavesQuietOut });
  for (const [index, place] of some.entries()) {
    const what = `${moment}: hours ${JSON.stringify({ place, ...range, leavesQuietOut })}`;
    const own = found[index];
    const hours = new Map(own?.hours.map((hour) => [hour.start, hour]));
    const wanted = model.steps(place.host, place.metric, range, HOUR_MS);
    for (const { at, max, count } of wanted) {
      const loudness = loudnessOf(max);
      const hour = hours.get(at);
      if (leavesQuietOut && loudness === QUIET) continue;
      expect(hour?.loudness, `${what} at ${at}`).toBeGreaterThanOrEqual(loudness);
      if (at + HOUR_MS > asked.rolledUpTo) continue;
      expect(hour, `${what} at ${at}`).toEqual({ start: at, loudness, values: count });
    }
    const rolledUp = [...hours.keys()].filter((start) => start + HOUR_MS <= asked.rolledUpTo);
    expect(
      wanted.map(({ at }) => at),
      what,
    ).toEqual(expect.arrayContaining(rolledUp));
    const samples = model.samples(place.host, place.metric, range);
    expect(own?.hasBackfill, what).toBe(samples.some(({ isBackfilled }) => isBackfilled));
  }
}

async function compareLevels(tx: Transaction, asked: Asked, moment: string): Promise<void> {
  const { reader, choices, retained } = asked;
  const turn = bucketOf(choices.time(), MINUTE_MS);
  const from = bucketOf(turn - choices.random() * HOUR_MS, MINUTE_MS) - MINUTE_MS;
  const to = bucketOf(turn + choices.random() * HOUR_MS, MINUTE_MS) + MINUTE_MS;
  const places = choices.some(asked.places);
  const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
  const levels = await reader.levels(tx, blockIds, { tier: '1m', from, turn, to, retained });
  for (const place of places) {
    const what = `${moment}: levels ${JSON.stringify({ ...place, from, turn, to })}`;
    const own = levels.get(place.blockId);
    const [before, since] = [
      meansOf(asked, place, { from, to: turn }),
      meansOf(asked, place, { from: turn, to }),
    ];
    if (before.length === 0 || since.length === 0 || to > asked.rolledUpTo) continue;
    const mean = before.reduce((sum, each) => sum + each, 0) / before.length;
    const variance = before.reduce((sum, each) => sum + (each - mean) ** 2, 0) / before.length;
    expect(own?.mean[place.slot], what).toBeCloseTo(mean, 6);
    expect(own?.deviation[place.slot], what).toBeCloseTo(Math.sqrt(variance), 6);
    expect(own?.max[place.slot], what).toBeCloseTo(Math.max(...since), 6);
    expect(own?.min[place.slot], what).toBeCloseTo(Math.min(...since), 6);
  }
}

function meansOf({ model }: Asked, { host, metric }: StoredPlace, range: Range): number[] {
  return model.steps(host, metric, range, MINUTE_MS).map(({ sum, count }) => sum / count);
}
