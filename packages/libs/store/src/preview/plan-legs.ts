import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Hour, type Reach, stretchesOf } from '@tidewatch/domain/preview/stretches';
import type { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import type { Turn } from '../event-loop/turn.ts';
import type { KnownBlocks, SlotHours } from '../series/series-columns.ts';
import { storedSeries } from '../series/stored-series.ts';
import { Effort, PreviewTooLargeError } from './effort.ts';
import type { PreviewContext } from './preview-context.ts';
import { readSubjects, type StoredSubject } from './subjects.ts';
import type { Leg } from './values.ts';

/** The max number of values that a preview reads, and of evaluations (values times candidates). */
export const MAX_VALUES = 5_000_000;
const MAX_STEPS = 100_000_000;
/** The number of blocks whose hours one statement reads. */
const BLOCKS_AT_ONCE = 1_000;
/** The maximum length of a leg, ms. */
export const MAX_LEG_MS = DAY_MS;
const MINUTES_OF_AN_HOUR = 60;
/** How far back sample times are read for the usual interval, ms. */
const TIMES_WITHIN_MS = 7 * DAY_MS;
/** The share of a window that must be read: a window has 120 parts and may reach into one more. */
const WINDOW_SHARE = 121 / 120;

/** A range of a subject to read: values before `evaluateFrom` (ms) only fill the window. */
export interface TrialLeg extends Leg {
  subject: StreamSubject;
  evaluateFrom: number;
  values: number;
}

/** A subject with values to evaluate. */
export interface StreamSubject {
  stored: StoredSubject;
  rules: TrialRules;
  /** What is known of the subject's block, among others. */
  known: KnownBlocks;
  /** The end of the subject's last hour with values, ms. */
  end: number;
  /** Whether the subject may have backfilled values. */
  hasBackfill: boolean;
}

/** A subject with the ranges to read, in order of time. */
export interface PlannedSubject {
  subject: StreamSubject;
  legs: TrialLeg[];
}

/** Plans which ranges of which subjects are read. Throws PreviewTooLargeError. */
export async function planLegs(context: PreviewContext, turn: Turn): Promise<PlannedSubject[]> {
  const { tx, request, rulesOf, tally } = context;
  const { from, to, retained, candidates } = request;
  const subjects = await readSubjects(tx, request.organizationId, request.rule.metric);
  const maxValues = Math.min(MAX_VALUES, Math.floor(MAX_STEPS / (1 + candidates.length)));
  const effort = new Effort(maxValues);
  const ofSamples = new Effort(maxValues);
  const planned: PlannedSubject[] = [];
  const wanted = subjects.flatMap((stored) => {
    const rules = rulesOf(stored.host, stored.tags, stored.part);
    return rules === null ? [] : [{ stored, rules }];
  });
  const portions = [...portionsOf(wanted)];
  const read = async (index: number) => {
    const part = portions[index] as WantedSubject[];
    const blockIds = [...new Set(part.map(({ stored }) => stored.blockId))];
    const known = await storedSeries.know(tx, blockIds, { from, to });
    const watched = part.map(({ stored: { blockId, slot }, rules }) => {
      return { blockId, slot, limits: rules.limits };
    });
    const leavesQuietOut = part.every(({ rules }) => isPlain(reachOf(rules)));
    const asked = { from, to, retained, leavesQuietOut };
    return { part, known, hours: await storedSeries.hours(tx, watched, asked, known) };
  };
  let next = portions.length === 0 ? null : read(0);
  for (let index = 1; next !== null; index += 1) {
    const { part, known, hours } = await next;
    // Reads the next subjects while the current ones are planned.
    next = index < portions.length ? read(index) : null;
    next?.catch(() => undefined);
    for (const [place, { stored, rules }] of part.entries()) {
      const held = hours[place] as SlotHours;
      const found = held.hours;
      const own = found.map((hour) => expecting(hour, request.tier));
      const last = own.at(-1);
      if (last === undefined) continue;
      if (own.some(({ start }) => start + HOUR_MS <= held.assumedFrom)) tally.countService(stored.serviceId);
      // Values that only fill a window may be older than the range and so be backfilled.
      const hasBackfill = held.hasBackfill || reachOf(rules).windowMs > 0;
      const subject = { stored, rules, known, end: Math.min(last.start + HOUR_MS, to), hasBackfill };
      const legs = legsOf(subject, own, context);
      for (const leg of legs) effort.add(leg.from, leg.to, leg.values);
      if (request.tier === '1m') addSamples(ofSamples, found, reachOf(rules), retained.raw);
      if (effort.isTooMuch) planned.length = 0;
      else if (legs.length > 0) planned.push({ subject, legs });
      if (turn.isOver) await turn.yieldWhenDue();
    }
    await turn.yieldWhenDue();
  }
  if (!effort.isTooMuch) return planned;
  const possible = effort.possibleFrom;
  // Raw samples are read if the whole range is within raw retention.
  const isOfSamples = request.tier === '1m' && possible !== null && possible >= retained.raw;
  throw new PreviewTooLargeError(isOfSamples ? ofSamples.possibleFrom : possible);
}

/** A subject with the rules that evaluate it. */
type WantedSubject = Pick<StreamSubject, 'stored' | 'rules'>;

/** Portions of subjects whose hours are read together: those of a block, such as parts of one host, are in one portion. */
function* portionsOf(wanted: readonly WantedSubject[]): Generator<WantedSubject[]> {
  const byBlock = [...Map.groupBy(wanted, ({ stored }) => stored.blockId).values()];
  for (let start = 0; start < byBlock.length; start += BLOCKS_AT_ONCE)
    yield byBlock.slice(start, start + BLOCKS_AT_ONCE).flat();
}

/** Counts the raw samples that a preview of the range within raw retention would read. */
function addSamples(effort: Effort, hours: readonly Hour[], reach: Reach, keptFrom: number): void {
  const kept = hours.filter(({ start }) => start >= keptFrom);
  for (const { from, to, values } of stretchesOf(kept, reach)) effort.add(from, to, values);
}

/** The hour with the number of values to read: at most sixty, if minutes are read. */
function expecting(hour: Hour, tier: 'raw' | '1m'): Hour {
  return tier === 'raw' ? hour : { ...hour, values: Math.min(hour.values, MINUTES_OF_AN_HOUR) };
}

function reachOf({ own, all }: TrialRules): Reach {
  return {
    windowMs: (own.transform?.over_minutes ?? 0) * MINUTE_MS * WINDOW_SHARE,
    keepFiringMs: Math.max(...all.flatMap(({ levels }) => levels.map(({ keepFiringMs }) => keepFiringMs))),
  };
}

function legsOf(subject: StreamSubject, hours: readonly Hour[], { request }: PreviewContext): TrialLeg[] {
  const reach = reachOf(subject.rules);
  const { windowMs } = reach;
  const full = new Set(
    hours.filter((hour) => request.tier === '1m' && isFull(hour)).map(({ start }) => start),
  );
  const kept = request.retained[request.tier];
  const legs: TrialLeg[] = [];
  let done = kept;
  for (const stretch of stretchesOf(hours, reach)) {
    const evaluateFrom = Math.max(stretch.from, request.from);
    const to = Math.min(stretch.to, request.to);
    const from = windowMs === 0 ? evaluateFrom : Math.max(evaluateFrom - windowMs, done);
    const perMs = stretch.values / (stretch.to - stretch.from);
    for (let at = from; at < to; at += MAX_LEG_MS) {
      const end = Math.min(at + MAX_LEG_MS, to);
      const values = stretch.firstOnly ? 1 : Math.ceil(perMs * (end - at));
      const asksTimes = at === from && windowMs === 0 && !full.has(from - HOUR_MS);
      const timesSince = asksTimes ? Math.max(kept, from - TIMES_WITHIN_MS) : null;
      const { firstOnly } = stretch;
      legs.push({ ...legOf(subject, at, end), firstOnly, timesSince, subject, evaluateFrom, values });
    }
    done = to;
  }
  return legs;
}

/** Whether the rule has no window and no `keep_firing`: each sample is evaluated alone. */
function isPlain({ windowMs, keepFiringMs }: Reach): boolean {
  return windowMs === 0 && keepFiringMs === 0;
}

/** Whether fewer than five minutes of the hour are missing, so that the usual interval at its end is a minute. */
function isFull({ values }: Hour): boolean {
  return values > MINUTES_OF_AN_HOUR - 5;
}

export function legOf({ stored, known, hasBackfill }: StreamSubject, from: number, to: number): Leg {
  const { blockId, slot } = stored;
  return { blockId, slot, known, from, to, firstOnly: false, timesSince: null, hasBackfill };
}
