import { judgeMissing } from '../alerting/absence.ts';
import { judge } from '../alerting/judge.ts';
import { endsByGap, isBeforeFiring } from '../alerting/judge-level.ts';
import type { PairState } from '../alerting/pair-state.ts';
import type { CompiledRule } from '../alerting/rule.ts';

/** Rules that differ in nothing but their duration, the shortest first, and where each stands among all. */
export interface Cohort {
  rules: readonly [CompiledRule, ...CompiledRule[]];
  places: readonly number[];
}

/** Rules `[from, to)` of a cohort that stand alike. */
interface Part {
  from: number;
  to: number;
  state: PairState | null;
}

/** One value, with what `judge` has to know besides it. */
export interface Judged {
  time: number;
  lastJudgedAt: number | null;
  usualIntervalMs: number;
}

/** The cohorts of these rules; one with several thresholds, whose durations may be their own, stands alone. */
export function cohortsOf(rules: readonly CompiledRule[]): Cohort[] {
  const placed = rules.map((rule, place) => ({ rule, place }));
  const alike = Map.groupBy(placed, ({ rule: { definition }, place }) =>
    definition.thresholds === null ? JSON.stringify({ ...definition, duration_minutes: 0 }) : place,
  );
  return [...alike.values()].map((own) => {
    own.sort((a, b) => a.rule.levels[0].durationMs - b.rule.levels[0].durationMs);
    const ordered = own.map(({ rule }) => rule) as [CompiledRule, ...CompiledRule[]];
    return { rules: ordered, places: own.map(({ place }) => place) };
  });
}

/**
 * How often each rule of a cohort fires on one stream. Rules that stand alike are judged once: of those that have not
 * fired the one with the shortest duration, since where it does not fire none does, and nothing else depends on it.
 */
export class CohortTrial {
  readonly #cohort: Cohort;
  readonly #fired: (place: number) => void;
  #parts: Part[];
  #isActive = false;

  /** `fired` is told the place of each rule that fires. */
  constructor(cohort: Cohort, fired: (place: number) => void) {
    this.#cohort = cohort;
    this.#fired = fired;
    this.#parts = [{ from: 0, to: cohort.rules.length, state: null }];
  }

  /** Whether some rule is pending, firing or recovering. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /**
   * A sample, or a minute by its least and greatest value and mean, which counts as `inMinute` says. Of one that breaches
   * throughout any value says everything.
   */
  take(least: number, greatest: number, mean: number, judged: Judged): void {
    const [rule] = this.#cohort.rules;
    const isBreach = rule.breaches(greatest);
    const breachesThroughout = isBreach && rule.breaches(least) && rule.breaches(mean);
    if (!this.#isActive && !isBreach && !rule.breaches(least) && !rule.breaches(mean)) return;
    if (breachesThroughout && this.#goesOn(judged)) return;
    const next: Part[] = [];
    for (const part of this.#parts) {
      if (breachesThroughout || least === greatest) this.#step(part, least, judged, next);
      else {
        const halfway: Part[] = [];
        const [first, second] = inMinute(rule, part.state, least, greatest, mean);
        this.#step(part, first, judged, halfway);
        for (const half of halfway) this.#step(half, second, judged, next);
      }
    }
    this.#stand(next);
  }

  /** A payload in which the container or process was missing. */
  miss(): void {
    const next: Part[] = [];
    for (const { from, to, state } of this.#parts)
      add(next, { from, to, state: state === null ? null : judgeMissing(state).next });
    this.#stand(next);
  }

  #stand(parts: Part[]): void {
    this.#parts = parts;
    this.#isActive = parts.length > 1 || parts[0]?.state !== null;
  }

  /** Whether a breach changes nothing that counts here: so it is with most minutes of an alert. */
  #goesOn(judged: Judged): boolean {
    for (const part of this.#parts) if (!this.#partGoesOn(part, judged)) return false;
    return true;
  }

  #partGoesOn({ from, state }: Part, { time, lastJudgedAt, usualIntervalMs }: Judged): boolean {
    if (state === null || state.missed !== 0 || state.levels !== null) return false;
    if (state.state === 'firing') return true;
    if (state.state === 'recovering' || lastJudgedAt === null) return false;
    const [level] = (this.#cohort.rules[from] as CompiledRule).levels;
    return !endsByGap(state, lastJudgedAt, time, usualIntervalMs) && isBeforeFiring(level, state, time);
  }

  #step(part: Part, value: number, judged: Judged, into: Part[]): void {
    const { rules, places } = this.#cohort;
    if (rules[0].breaches(value) && this.#partGoesOn(part, judged)) {
      add(into, part);
      return;
    }
    const { time, lastJudgedAt, usualIntervalMs } = judged;
    const { to, state } = part;
    const usual = state?.state === 'pending' ? usualIntervalMs : 0;
    for (let from = part.from; from < to; from += 1) {
      const verdict = judge(rules[from] as CompiledRule, state, lastJudgedAt, time, value, usual);
      if (!verdict?.transitions.includes('fired')) {
        add(into, { from, to, state: verdict === null ? state : verdict.next });
        return;
      }
      this.#fired(places[from] as number);
      add(into, { from, to: from + 1, state: verdict.next });
    }
  }
}

/**
 * The two samples that a minute counts as, in their order: the worst of its values and the best. What is active sees the
 * worst first, anything else the best: of all orders the one that begins and ends least.
 */
export function inMinute(
  { levels: [level] }: CompiledRule,
  state: PairState | null,
  least: number,
  greatest: number,
  mean: number,
): [number, number] {
  let worst = least;
  if (level.isWorse(greatest, worst)) worst = greatest;
  if (level.isWorse(mean, worst)) worst = mean;
  let best = least;
  if (level.isWorse(best, greatest)) best = greatest;
  if (level.isWorse(best, mean)) best = mean;
  return state !== null && state.state !== 'pending' ? [worst, best] : [best, worst];
}

/** Joins the part to the one before where both stand alike. */
function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last !== undefined && standAlike(last.state, part.state)) last.to = part.to;
  else parts.push(part);
}

/** Whether the same samples, which come in order, lead two rules that differ in their duration to the same states. */
function standAlike(a: PairState | null, b: PairState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.state !== b.state || a.missed !== b.missed) return false;
  return (
    a.levels === b.levels &&
    (a.state !== 'pending' || a.pendingSince === b.pendingSince) &&
    a.clearSince === b.clearSince
  );
}
