import { evaluateMissing } from '../alerting/absence.ts';
import type { AlertInstanceState } from '../alerting/alert-instance-state.ts';
import { evaluate } from '../alerting/evaluate.ts';
import { endsByGap, evaluateLevel, isBeforeFiring } from '../alerting/evaluate-level.ts';
import type { CompiledRule } from '../rules/rule.ts';

/** Rules that differ only in their duration, the shortest first; `places` are their indexes in the list of all rules. */
export interface Cohort {
  rules: readonly [CompiledRule, ...CompiledRule[]];
  places: readonly number[];
}

/** Rules `[from, to)` of a cohort that are in the same state. */
interface Part {
  from: number;
  to: number;
  state: AlertInstanceState | null;
}

/** The parts of a cohort in order. The list is reused for every value, because new lists would be most of the cost. */
class Parts {
  readonly #all: Part[] = [];
  length = 0;

  get(index: number): Part {
    return this.#all[index] as Part;
  }

  clear(): void {
    this.length = 0;
  }

  /** Adds rules `[from, to)`; they join the previous part if their state is equivalent. */
  add(from: number, to: number, state: AlertInstanceState | null): void {
    if (this.length > 0) {
      const last = this.get(this.length - 1);
      if (standAlike(last.state, state)) {
        last.to = to;
        return;
      }
    }
    const part = this.#all[this.length];
    this.length += 1;
    if (part === undefined) {
      this.#all.push({ from, to, state });
      return;
    }
    part.from = from;
    part.to = to;
    part.state = state;
  }
}

/** Buffers reused by every call of `take` and `miss`; safe because such calls never overlap. */
const scratch = { spare: new Parts(), halfway: new Parts() };

/** The context of evaluating one value; times are in ms. */
export interface Evaluation {
  time: number;
  lastEvaluatedAt: number | null;
  usualIntervalMs: number;
  /** The pending state that this value starts, shared by all cohorts; null until a rule becomes pending. */
  begun: AlertInstanceState | null;
}

/** Groups the rules into cohorts; a rule with several thresholds is a cohort of its own. */
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
 * Counts how often each rule of a cohort fires on one stream. Rules in equivalent states are evaluated once, by the one
 * with the shortest duration: where that does not fire, none of them does.
 */
export class CohortTrial {
  readonly #cohort: Cohort;
  readonly #fired: (place: number) => void;
  #parts = new Parts();

  constructor(cohort: Cohort, fired: (place: number) => void) {
    this.#cohort = cohort;
    this.#fired = fired;
    this.#parts.add(0, cohort.rules.length, null);
  }

  /** Whether some rule is pending, firing or recovering. */
  get isActive(): boolean {
    return this.#parts.length > 1 || this.#parts.get(0).state !== null;
  }

  /** Evaluates a sample, or a minute given by its minimum, maximum and mean as two samples (see `inMinute`). */
  take(least: number, greatest: number, mean: number, evaluated: Evaluation): void {
    const rule = this.#rule(0);
    const isBreach = rule.breaches(greatest);
    const breachesThroughout = isBreach && rule.breaches(least) && rule.breaches(mean);
    if (!isBreach && !this.isActive && !rule.breaches(least) && !rule.breaches(mean)) return;
    if (breachesThroughout && this.#goesOn(least, evaluated)) return;
    const parts = this.#parts;
    const { spare, halfway } = scratch;
    spare.clear();
    for (let i = 0; i < parts.length; i += 1) {
      const { from, to, state } = parts.get(i);
      if (breachesThroughout || least === greatest) this.#step(from, to, state, least, evaluated, spare);
      else {
        const [first, second] = inMinute(rule, state, least, greatest, mean);
        halfway.clear();
        this.#step(from, to, state, first, evaluated, halfway);
        for (let j = 0; j < halfway.length; j += 1) {
          const half = halfway.get(j);
          this.#step(half.from, half.to, half.state, second, evaluated, spare);
        }
      }
    }
    this.#become(spare);
  }

  /** A payload in which the container or process was missing. */
  miss(): void {
    const parts = this.#parts;
    const { spare } = scratch;
    spare.clear();
    for (let i = 0; i < parts.length; i += 1) {
      const { from, to, state } = parts.get(i);
      spare.add(from, to, state === null ? null : evaluateMissing(state).next);
    }
    this.#become(spare);
  }

  /** The part is gone, which ends what any rule has begun. */
  gone(): void {
    this.#parts.clear();
    this.#parts.add(0, this.#cohort.rules.length, null);
  }

  #become(parts: Parts): void {
    scratch.spare = this.#parts;
    this.#parts = parts;
  }

  /** Whether a breach leaves the state of every rule unchanged, as it does in most minutes of an alert. */
  #goesOn(value: number, evaluated: Evaluation): boolean {
    const parts = this.#parts;
    for (let i = 0; i < parts.length; i += 1) {
      const { from, state } = parts.get(i);
      if (state === null || plainNext(this.#rule(from), state, value, true, evaluated) !== state)
        return false;
    }
    return true;
  }

  #rule(index: number): CompiledRule {
    return this.#cohort.rules[index] as CompiledRule;
  }

  #step(
    first: number,
    to: number,
    state: AlertInstanceState | null,
    value: number,
    evaluated: Evaluation,
    into: Parts,
  ): void {
    const { time, lastEvaluatedAt, usualIntervalMs } = evaluated;
    const isBreach = this.#cohort.rules[0].breaches(value);
    for (let from = first; from < to; from += 1) {
      const rule = this.#rule(from);
      const plain = plainNext(rule, state, value, isBreach, evaluated);
      if (plain !== undefined) {
        into.add(from, to, plain);
        return;
      }
      const usual = state?.state === 'pending' ? usualIntervalMs : 0;
      const verdict = evaluate(rule, state, lastEvaluatedAt, time, value, usual);
      if (!verdict?.transitions.includes('fired')) {
        into.add(from, to, verdict === null ? state : verdict.next);
        return;
      }
      this.#fired(this.#cohort.places[from] as number);
      into.add(from, from + 1, verdict.next);
    }
  }
}

/**
 * The next state as `evaluate` computes it, except for values that the state remembers and previews do not use; allocates
 * no new state. Undefined if only `evaluate` can decide.
 */
function plainNext(
  { levels }: CompiledRule,
  state: AlertInstanceState | null,
  value: number,
  isBreach: boolean,
  evaluated: Evaluation,
): AlertInstanceState | null | undefined {
  if (state === null && !isBreach) return null;
  const { time, lastEvaluatedAt, usualIntervalMs } = evaluated;
  const level = levels[0];
  if (levels.length > 1 || lastEvaluatedAt === null || time < lastEvaluatedAt) return undefined;
  if (state === null) {
    if (level.durationMs === 0) return undefined;
    evaluated.begun ??= evaluateLevel(level, null, lastEvaluatedAt, time, value, 0)?.next ?? null;
    return evaluated.begun;
  }
  if (state.missed !== 0 || state.levels !== null) return undefined;
  if (state.state === 'firing') {
    if (isBreach || !level.clears(value)) return state;
    return level.keepFiringMs === 0 ? null : undefined;
  }
  if (state.state === 'recovering') return undefined;
  if (!isBreach) return null;
  const goesOn =
    !endsByGap(state, lastEvaluatedAt, time, usualIntervalMs) && isBeforeFiring(level, state, time);
  return goesOn ? state : undefined;
}

/**
 * The two samples that stand for a minute, in order: its worst value comes first for an active alert and last for an
 * inactive one, the order with the fewest transitions.
 */
export function inMinute(
  { levels: [level] }: CompiledRule,
  state: AlertInstanceState | null,
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

/**
 * Whether rules in these two states, which differ only in their durations, reach the same states by the same further
 * samples.
 */
function standAlike(a: AlertInstanceState | null, b: AlertInstanceState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.state !== b.state || a.missed !== b.missed) return false;
  return (
    a.levels === b.levels &&
    (a.state !== 'pending' || a.pendingSince === b.pendingSince) &&
    a.clearSince === b.clearSince
  );
}
