import { perRollupTier, ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import { type BlockFacts, spansOf } from '../../rows/spans.ts';
import type { Range, RetainedFrom } from '../../series-columns.ts';
import { dayOf } from '../stored/day-relations.ts';

/** A stretch of a day that is computed from one tier if the day is closed. */
export interface PlannedPart extends Range {
  tier: Tier;
}

/** A UTC day of a range: from `day` on (ms), as far as it is in the range. */
export interface PlannedDay {
  day: number;
  from: number;
  to: number;
  /** In order of time. */
  parts: PlannedPart[];
}

/** A block of which everything is rolled up, as all closed days are. */
const SETTLED: BlockFacts = {
  blockId: 0,
  openFrom: perRollupTier(() => Number.POSITIVE_INFINITY),
  dirty: [],
};

/**
 * Divides a range into days, and each day between tiers: buckets of the coarsest one, and of finer ones where a bucket is only partly in
 * the range, as far as these are kept.
 */
export function planDays(tier: Tier, range: Range, retained: RetainedFrom): PlannedDay[] {
  const spans = spansOf(tier, range, retained, [SETTLED]);
  const days = new Map<number, PlannedDay>();
  const add = (from: number, to: number, part: PlannedPart | null) => {
    const day = dayOf(from);
    let own = days.get(day);
    if (own === undefined) {
      own = { day, from, to, parts: [] };
      days.set(day, own);
    }
    own.from = Math.min(own.from, from);
    own.to = Math.max(own.to, to);
    if (part !== null) own.parts.push(part);
  };
  for (const each of ['raw', ...ROLLUP_TIERS] as const)
    for (const { from, to } of spans[each])
      for (let at = from; at < to; at = dayOf(at) + DAY_MS) {
        const end = Math.min(to, dayOf(at) + DAY_MS);
        add(at, end, { tier: each, from: at, to: end });
      }
  const planned = [...days.values()].sort((a, b) => a.day - b.day);
  for (const { parts } of planned) parts.sort((a, b) => a.from - b.from);
  return planned;
}

/** The days that parts of a tier lie on, as ranges of whole days. */
export function daysOfTier(days: readonly PlannedDay[], tier: RollupTier): Range[] {
  return days
    .filter(({ parts }) => parts.some((part) => part.tier === tier))
    .map(({ day }) => ({ from: day, to: day + DAY_MS }));
}
