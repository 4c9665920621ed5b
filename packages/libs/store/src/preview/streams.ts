import { subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import { type Limits, limitsOf } from '@tidewatch/domain/preview/limits';
import { type Hour, type Reach, stretchesOf } from '@tidewatch/domain/preview/stretches';
import { Trial } from '@tidewatch/domain/preview/trial';
import type { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import { DAY_MS, HOUR_MS } from '@tidewatch/domain/rollup/tier';
import { readFacts } from '../queries/series.ts';
import type { BlockFacts } from '../queries/series-spans.ts';
import { Effort, PreviewTooLargeError } from './effort.ts';
import { readHours } from './hours.ts';
import type { PreviewContext, PreviewRequest } from './preview.ts';
import { readSubjects, type StoredSubject } from './subjects.ts';
import { Turn } from './turn.ts';
import { type Leg, readValues, type Values, type ValuesOptions } from './values.ts';

/** Values that one preview reads at most, and steps of judging: values times candidates. */
const MOST_VALUES = 5_000_000;
const MOST_STEPS = 100_000_000;
/** What is read at once: hours of so many blocks, values of so many legs that hold so many. */
const BLOCKS_AT_ONCE = 1_000;
const LEGS_AT_ONCE = 500;
const VALUES_AT_ONCE = 20_000;
/** Pairs of subject and candidate that are judged side by side. */
const PAIRS_AT_ONCE = 200_000;
/** Values that are judged between two looks at the clock. */
const VALUES_A_LOOK = 64;
const LONGEST_LEG_MS = DAY_MS;
const MINUTES_OF_AN_HOUR = 60;
/** How far back the times of samples are looked up that tell the usual interval. */
const TIMES_WITHIN_MS = 7 * DAY_MS;
/** A window is divided into 120 parts and may hold one more. */
const WINDOW_SHARE = 121 / 120;

/** A leg of a subject: values before `judgeFrom` (ms) only fill its window. */
interface TrialLeg extends Leg {
  subject: StreamSubject;
  judgeFrom: number;
  values: number;
}

/** A subject that has something to be judged. */
interface StreamSubject {
  stored: StoredSubject;
  rules: TrialRules;
  facts: BlockFacts;
  /** Where its last hour ends that holds anything, ms. */
  end: number;
  /** Whether it may have values that were older than raw retention when they came. */
  hasBackfill: boolean;
}

/** A subject and what has to be read of it, in the order of time. */
interface PlannedSubject {
  subject: StreamSubject;
  legs: TrialLeg[];
}

/** Tries a rule on hosts or containers. */
export async function previewStreams(context: PreviewContext): Promise<void> {
  const turn = new Turn(context.request.signal);
  const subjects = await planLegs(context, turn);
  const atOnce = Math.ceil(PAIRS_AT_ONCE / (1 + context.request.candidates.length));
  for (let start = 0; start < subjects.length; start += atOnce)
    await judgeSubjects(context, subjects.slice(start, start + atOnce), turn);
}

/** What lies together in the store is read together: values of all subjects in the order of time. */
async function judgeSubjects(
  context: PreviewContext,
  subjects: readonly PlannedSubject[],
  turn: Turn,
): Promise<void> {
  const runs = new Map(subjects.map(({ subject }) => [subject, new SubjectRun(context, subject, turn)]));
  const legs = subjects.flatMap((planned) => planned.legs).sort((a, b) => a.from - b.from);
  let next = readChunk(context, legs, 0);
  while (next !== null) {
    const { part, values } = next;
    const read = await values;
    // Read while this chunk is judged.
    next = readChunk(context, legs, next.end);
    next?.values.catch(() => undefined);
    for (const [index, leg] of part.entries())
      await (runs.get(leg.subject) as SubjectRun).judge(leg, read[index] as Values);
  }
  for (const run of runs.values()) await run.finish();
}

/** What has to be read of all subjects of which anything has. */
async function planLegs(context: PreviewContext, turn: Turn): Promise<PlannedSubject[]> {
  const { tx, request, rulesOf, tally } = context;
  const { from, to, retained, candidates } = request;
  const subjects = await readSubjects(tx, request.organizationId, request.rule.metric);
  const most = Math.min(MOST_VALUES, Math.floor(MOST_STEPS / (1 + candidates.length)));
  const effort = new Effort(most);
  const limitsOfRules = new Map<object, Limits | null>();
  const planned: PlannedSubject[] = [];
  const wanted = subjects.flatMap((stored) => {
    const rules = rulesOf(stored.host, stored.tags);
    return rules === null ? [] : [{ stored, rules }];
  });
  const read = async (start: number) => {
    const part = wanted.slice(start, start + BLOCKS_AT_ONCE);
    const blockIds = part.map(({ stored }) => stored.blockId);
    const factsOf = new Map((await readFacts(tx, blockIds, from, to)).map((facts) => [facts.blockId, facts]));
    const watched = part.map(({ stored, rules }) => {
      if (!limitsOfRules.has(rules)) limitsOfRules.set(rules, limitsOf(rules.all));
      const facts = factsOf.get(stored.blockId) as BlockFacts;
      const { blockId, slot } = stored;
      return { blockId, slot, facts, limits: limitsOfRules.get(rules) ?? null };
    });
    const leavesQuietOut = part.every(({ rules }) => isPlain(reachOf(rules)));
    return { part, watched, hours: await readHours(tx, watched, { from, to, retained, leavesQuietOut }) };
  };
  let next = wanted.length === 0 ? null : read(0);
  for (let start = BLOCKS_AT_ONCE; next !== null; start += BLOCKS_AT_ONCE) {
    const { part, watched, hours } = await next;
    // Read while these are planned.
    next = start < wanted.length ? read(start) : null;
    next?.catch(() => undefined);
    for (const [index, { stored, rules }] of part.entries()) {
      const held = hours.get(stored.blockId);
      const own = (held?.hours ?? []).map((hour) => expecting(hour, request.tier));
      const last = own.at(-1);
      if (last === undefined) continue;
      const facts = watched[index]?.facts as BlockFacts;
      if (own.some((hour) => isKnown(hour.start, facts))) tally.judged(stored.serviceId);
      // What fills a window may be older than the range.
      const hasBackfill = (held?.hasBackfill ?? false) || reachOf(rules).windowMs > 0;
      const subject = { stored, rules, facts, end: Math.min(last.start + HOUR_MS, to), hasBackfill };
      const legs = legsOf(subject, own, context);
      for (const leg of legs) effort.add(leg.from, leg.to, leg.values);
      if (effort.isTooMuch) planned.length = 0;
      else if (legs.length > 0) planned.push({ subject, legs });
      if (turn.isOver) await turn.give();
    }
    await turn.give();
  }
  if (effort.isTooMuch) throw new PreviewTooLargeError(effort.possibleFrom);
  return planned;
}

/** An hour by how many values are read of it: it holds at most sixty minutes. */
function expecting(hour: Hour, tier: 'raw' | '1m'): Hour {
  return tier === 'raw' ? hour : { ...hour, values: Math.min(hour.values, MINUTES_OF_AN_HOUR) };
}

/** Whether a rollup says what the hour holds. */
function isKnown(start: number, facts: BlockFacts): boolean {
  return start + HOUR_MS <= facts.openFrom['1h'];
}

function reachOf({ own, all }: TrialRules): Reach {
  return {
    windowMs: (own.transform?.over_minutes ?? 0) * 60_000 * WINDOW_SHARE,
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
    const judgeFrom = Math.max(stretch.from, request.from);
    const to = Math.min(stretch.to, request.to);
    const from = windowMs === 0 ? judgeFrom : Math.max(judgeFrom - windowMs, done);
    const perMs = stretch.values / (stretch.to - stretch.from);
    for (let at = from; at < to; at += LONGEST_LEG_MS) {
      const end = Math.min(at + LONGEST_LEG_MS, to);
      const values = stretch.firstOnly ? 1 : Math.ceil(perMs * (end - at));
      const asksTimes = at === from && windowMs === 0 && !full.has(from - HOUR_MS);
      const timesSince = asksTimes ? Math.max(kept, from - TIMES_WITHIN_MS) : null;
      const { firstOnly } = stretch;
      legs.push({ ...legOf(subject, at, end), firstOnly, timesSince, subject, judgeFrom, values });
    }
    done = to;
  }
  return legs;
}

/** Whether samples are judged as they are, and an alert ends with the first that is clear. */
function isPlain({ windowMs, keepFiringMs }: Reach): boolean {
  return windowMs === 0 && keepFiringMs === 0;
}

/** Whether an hour has so many minutes that the usual interval before its end is a minute: fewer than five are missing. */
function isFull({ values }: Hour): boolean {
  return values > MINUTES_OF_AN_HOUR - 5;
}

function legOf({ stored, facts, hasBackfill }: StreamSubject, from: number, to: number): Leg {
  const { blockId, slot } = stored;
  return { blockId, slot, facts, from, to, firstOnly: false, timesSince: null, hasBackfill };
}

/** A mean counts where it is judged itself, or may lie in a range that its minute's extremes lie around. */
function optionsOf({ rule, retained }: PreviewRequest): ValuesOptions {
  const { condition, transform } = rule;
  const withMean =
    transform === null
      ? !condition.startsWith('greater') && !condition.startsWith('less')
      : transform.kind !== 'minimum' && transform.kind !== 'maximum';
  return { retained, withMean };
}

function readChunk({ tx, request }: PreviewContext, legs: readonly TrialLeg[], start: number) {
  let end = start;
  for (let values = 0; end < legs.length && end - start < LEGS_AT_ONCE && values < VALUES_AT_ONCE; end += 1)
    values += (legs[end] as TrialLeg).values;
  if (end === start) return null;
  const part = legs.slice(start, end);
  return { part, end, values: readValues(tx, request.tier, part, optionsOf(request)) };
}

/** Judges the legs of one subject, which follow each other in time order. */
class SubjectRun {
  readonly #context: PreviewContext;
  readonly #subject: StreamSubject;
  readonly #turn: Turn;
  readonly #trial: Trial;
  /** Up to where the subject has been judged, ms. */
  #done = 0;

  constructor(context: PreviewContext, subject: StreamSubject, turn: Turn) {
    const { serviceId, host, name } = subject.stored;
    const kind = subjectKindOf(context.request.rule.metric);
    this.#context = context;
    this.#subject = subject;
    this.#turn = turn;
    this.#trial = new Trial(
      subject.rules,
      context.tally.sinkOf({ serviceId, host, subject: { kind, name } }),
    );
  }

  async judge(leg: TrialLeg, values: Values): Promise<void> {
    await this.#goOnUntil(leg.from);
    await this.#take(values, leg.judgeFrom);
    const [first] = values.at;
    this.#done = leg.firstOnly && first !== undefined ? first + 1 : leg.to;
  }

  /** What is still active then has not ended. */
  async finish(): Promise<void> {
    await this.#goOnUntil(this.#subject.end);
    this.#trial.finish();
  }

  /** What is still active is followed through what was left out. */
  async #goOnUntil(to: number): Promise<void> {
    while (this.#trial.isActive && this.#done < to) {
      const { tx, request } = this.#context;
      const end = Math.min(this.#done + LONGEST_LEG_MS, to);
      const leg = legOf(this.#subject, this.#done, end);
      const [values] = await readValues(tx, request.tier, [leg], optionsOf(request));
      if (values) await this.#take(values, this.#done);
      this.#done = end;
    }
  }

  async #take({ before, at, least, greatest, mean }: Values, judgeFrom: number): Promise<void> {
    for (const time of before) this.#trial.pass(time);
    const { tally } = this.#context;
    tally.took(this.#subject.stored.serviceId, at.length);
    if (tally.values > 2 * MOST_VALUES) throw new PreviewTooLargeError(null);
    for (let i = 0; i < at.length; i += 1) {
      this.#trial.take(
        at[i] as number,
        least[i] as number,
        greatest[i] as number,
        mean[i] as number,
        judgeFrom,
      );
      if (i % VALUES_A_LOOK === 0 && this.#turn.isOver) await this.#turn.give();
    }
    if (this.#turn.isOver) await this.#turn.give();
  }
}
