import type { Severity } from '@tidewatch/contracts/values/severity';
import { evaluateGone, evaluateMissing, PAYLOADS_UNTIL_GONE } from '../alerting/absence.ts';
import type { AlertInstanceState, Verdict } from '../alerting/alert-instance-state.ts';
import { evaluate } from '../alerting/evaluate.ts';
import { UsualInterval } from '../alerting/interval.ts';
import { Window } from '../alerting/window.ts';
import type { CompiledRule } from '../rules/rule.ts';
import { CohortTrial, type Evaluation, inMinute } from './cohort.ts';
import type { TrialRules } from './trial-rules.ts';

/** An alert that a rule would have fired. Times in ms; `resolvedAt` is null if the alert did not end. */
export interface TrialAlert {
  severity: Severity;
  pendingSince: number;
  firedAt: number;
  resolvedAt: number | null;
  peakValue: number;
}

export interface TrialSink {
  /** The rule with this index has fired. */
  fired(place: number): void;
  /** An alert of the previewed rule has ended, or the preview has. */
  alert(alert: TrialAlert): void;
}

/**
 * Evaluates the values of one stream as live evaluation would have, for a rule and for candidates with another threshold or
 * duration. Values come in order of time; ranges in which no alert can change may be left out.
 */
export class Trial {
  readonly #rules: TrialRules;
  readonly #rule: CompiledRule;
  readonly #others: readonly CohortTrial[];
  readonly #sink: TrialSink;
  #window: Window | null;
  /** Which figure of a minute (minimum, maximum or mean) the window of a derived value uses. */
  readonly #kind: string | null;
  #interval = new UsualInterval();
  #state: AlertInstanceState | null = null;
  /** Whether a rule may be pending, firing or recovering; false only if every rule is inactive. */
  #mayBeActive = false;
  #lastEvaluatedAt: number | null = null;
  #missed = 0;

  constructor(rules: TrialRules, sink: TrialSink) {
    const { own, cohorts } = rules;
    this.#rules = rules;
    this.#rule = own;
    this.#others = cohorts.map((cohort) => new CohortTrial(cohort, (place) => sink.fired(place)));
    this.#sink = sink;
    this.#window = windowOf(own);
    this.#kind = own.transform?.kind ?? null;
  }

  get isActive(): boolean {
    return this.#state !== null || this.#others.some((cohort) => cohort.isActive);
  }

  /** Notes the time of a sample that needs no evaluation because it cannot change an alert. */
  pass(time: number): void {
    this.#interval.observe(time);
  }

  /**
   * Evaluates a sample, or a minute given by its minimum, maximum and mean; before `evaluateFrom` it only fills the window.
   */
  take(time: number, least: number, greatest: number, mean: number, evaluateFrom: number): void {
    this.#missed = 0;
    if (this.#window !== null) {
      const value = this.#window.take(
        time,
        this.#kind === 'minimum' ? least : this.#kind === 'maximum' ? greatest : mean,
      );
      if (value === null) return;
      if (time < evaluateFrom) this.#interval.observe(time);
      else this.#evaluate(time, value, value, value);
    } else if (time < evaluateFrom) this.#interval.observe(time);
    else this.#evaluate(time, least, greatest, mean);
  }

  /**
   * Notes a payload in which the container or process was missing. Returns true once its state can be dropped, since it
   * starts inactive if it comes back.
   */
  miss(time: number): boolean {
    this.#missed += 1;
    const { value = null } = this.#state ?? {};
    if (this.#state !== null) this.#apply(evaluateMissing(this.#state), time, value);
    for (const cohort of this.#others) cohort.miss();
    return this.#missed >= PAYLOADS_UNTIL_GONE && !this.isActive;
  }

  /** The part is gone at `time` (ms): its alert ends, and it starts as a new one if it comes back. */
  gone(time: number): void {
    if (this.#state !== null) this.#apply(evaluateGone(this.#state), time, this.#state.value);
    for (const cohort of this.#others) cohort.gone();
    this.#mayBeActive = false;
    this.#lastEvaluatedAt = null;
    this.#interval = new UsualInterval();
    this.#window = windowOf(this.#rule);
  }

  /** Ends the preview; alerts that are still active did not end. */
  finish(): void {
    const state = this.#state;
    if (state !== null && state.state !== 'pending') this.#report(state, null, state.peakValue);
  }

  #evaluate(time: number, least: number, greatest: number, mean: number): void {
    if (this.#mayBeActive || this.#rules.mayBreach(least, greatest, mean)) {
      const lastEvaluatedAt = this.#lastEvaluatedAt;
      const evaluated: Evaluation = {
        time,
        lastEvaluatedAt,
        usualIntervalMs: this.#interval.ms,
        begun: null,
      };
      this.#evaluateOwn(least, greatest, mean, evaluated);
      this.#mayBeActive = this.#state !== null;
      for (const cohort of this.#others) {
        cohort.take(least, greatest, mean, evaluated);
        if (cohort.isActive) this.#mayBeActive = true;
      }
    }
    this.#lastEvaluatedAt = time;
    this.#interval.observe(time);
  }

  #evaluateOwn(least: number, greatest: number, mean: number, evaluated: Evaluation): void {
    const rule = this.#rule;
    if (least === greatest) this.#step(least, evaluated);
    else if (this.#state !== null || rule.breaches(least) || rule.breaches(greatest) || rule.breaches(mean)) {
      const [first, second] = inMinute(rule, this.#state, least, greatest, mean);
      this.#step(first, evaluated);
      this.#step(second, evaluated);
    }
  }

  #step(value: number, { time, lastEvaluatedAt, usualIntervalMs }: Evaluation): void {
    const before = this.#state;
    if (before === null && !this.#rule.breaches(value)) return;
    const usual = before?.state === 'pending' ? usualIntervalMs : 0;
    const verdict = evaluate(this.#rule, before, lastEvaluatedAt, time, value, usual);
    if (verdict !== null) this.#apply(verdict, time, value);
  }

  #apply({ next, transitions }: Verdict, time: number, value: number | null): void {
    const before = this.#state;
    this.#state = next;
    for (const kind of transitions) {
      if (kind === 'fired') this.#sink.fired(0);
      else if (kind === 'resolved' && before !== null)
        this.#report(before, time, worse(this.#rule, value, before.peakValue));
    }
  }

  #report(state: AlertInstanceState, resolvedAt: number | null, peakValue: number | null): void {
    const { severity, pendingSince, firedAt } = state;
    this.#sink.alert({
      severity,
      pendingSince,
      firedAt: firedAt ?? pendingSince,
      resolvedAt,
      peakValue: peakValue ?? Number.NaN,
    });
  }
}

function windowOf({ transform, metric }: CompiledRule): Window | null {
  return transform === null ? null : new Window(transform, metric);
}

function worse(rule: CompiledRule, value: number | null, than: number | null): number | null {
  if (value === null || than === null) return value ?? than;
  return rule.levels[0].isWorse(value, than) ? value : than;
}
