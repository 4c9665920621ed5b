import type { Severity } from '@tidewatch/contracts/values/severity';
import { judgeMissing, PAYLOADS_UNTIL_GONE } from '../alerting/absence.ts';
import { UsualInterval } from '../alerting/interval.ts';
import { judge } from '../alerting/judge.ts';
import type { PairState, Verdict } from '../alerting/pair-state.ts';
import type { CompiledRule } from '../alerting/rule.ts';
import { Window } from '../alerting/window.ts';

/** An alert that a rule would have made. Times in ms; `resolvedAt` null where it did not end. */
export interface TrialAlert {
  severity: Severity;
  pendingSince: number;
  firedAt: number;
  resolvedAt: number | null;
  peakValue: number;
}

export interface TrialSink {
  /** The rule at this place has fired. */
  fired(place: number): void;
  /** An alert of the first rule has ended, or the trial has. */
  alert(alert: TrialAlert): void;
}

interface Pair {
  place: number;
  rule: CompiledRule;
  state: PairState | null;
}

/**
 * Judges the values of one stream as they would have been judged live, by a rule and by others that differ from it in
 * threshold and duration. Values come in time order; stretches in which nothing can happen may be left out.
 */
export class Trial {
  readonly #pairs: readonly Pair[];
  readonly #sink: TrialSink;
  readonly #window: Window | null;
  /** Which figure of a minute goes into the window. */
  readonly #kind: string | null;
  readonly #interval = new UsualInterval();
  #lastJudgedAt: number | null = null;
  #active = 0;
  #missed = 0;

  constructor(rules: readonly CompiledRule[], sink: TrialSink) {
    const transform = rules[0]?.transform ?? null;
    this.#pairs = rules.map((rule, place) => ({ place, rule, state: null }));
    this.#sink = sink;
    this.#window = transform === null ? null : new Window(transform);
    this.#kind = transform?.kind ?? null;
  }

  /** Whether some rule is pending, firing or recovering. */
  get isActive(): boolean {
    return this.#active > 0;
  }

  /** The time of a sample that is not judged because nothing can come of it. */
  pass(time: number): void {
    this.#interval.observe(time);
  }

  /** A sample, or a minute by its least and greatest value and mean; before `judgeFrom` it only fills the window. */
  take(time: number, least: number, greatest: number, mean: number, judgeFrom: number): void {
    this.#missed = 0;
    if (this.#window !== null) {
      const value = this.#window.take(
        time,
        this.#kind === 'minimum' ? least : this.#kind === 'maximum' ? greatest : mean,
      );
      if (value === null) return;
      if (time < judgeFrom) this.#interval.observe(time);
      else this.#judge(time, value, value, value);
    } else if (time < judgeFrom) this.#interval.observe(time);
    else this.#judge(time, least, greatest, mean);
  }

  /**
   * A payload in which the container or process was missing. Answers whether nothing is left to remember of it: it
   * begins anew if it comes back.
   */
  miss(time: number): boolean {
    this.#missed += 1;
    for (const pair of this.#pairs) {
      if (pair.state !== null) this.#apply(pair, judgeMissing(pair.state), time, pair.state.value);
    }
    return this.#active === 0 && this.#missed >= PAYLOADS_UNTIL_GONE;
  }

  /** The end of the range: what is still active did not end. */
  finish(): void {
    const state = this.#pairs[0]?.state;
    if (state && state.state !== 'pending') this.#tell(state, null, state.peakValue);
  }

  #judge(time: number, least: number, greatest: number, mean: number): void {
    for (const pair of this.#pairs) {
      const { rule } = pair;
      if (least === greatest) this.#step(pair, time, least);
      else if (pair.state !== null || rule.breaches(least) || rule.breaches(greatest) || rule.breaches(mean))
        this.#judgeMinute(pair, time, [least, greatest, mean]);
    }
    this.#lastJudgedAt = time;
    this.#interval.observe(time);
  }

  /**
   * A minute counts as two samples, the worst of its values and the best. What is active sees the worst first, anything
   * else the best: of all orders the one that begins and ends least.
   */
  #judgeMinute(pair: Pair, time: number, values: readonly [number, number, number]): void {
    const [level] = pair.rule.levels;
    const worst = values.reduce((a, b) => (level.isWorse(b, a) ? b : a));
    const best = values.reduce((a, b) => (level.isWorse(a, b) ? b : a));
    const active = pair.state !== null && pair.state.state !== 'pending';
    this.#step(pair, time, active ? worst : best);
    this.#step(pair, time, active ? best : worst);
  }

  #step(pair: Pair, time: number, value: number): void {
    const before = pair.state;
    if (before === null && !pair.rule.breaches(value)) return;
    const usual = before?.state === 'pending' ? this.#interval.ms : 0;
    const verdict = judge(pair.rule, before, this.#lastJudgedAt, time, value, usual);
    if (verdict !== null) this.#apply(pair, verdict, time, value);
  }

  #apply(pair: Pair, { next, transitions }: Verdict, time: number, value: number | null): void {
    const before = pair.state;
    pair.state = next;
    this.#active += Number(next !== null) - Number(before !== null);
    for (const kind of transitions) {
      if (kind === 'fired') this.#sink.fired(pair.place);
      else if (kind === 'resolved' && before !== null && pair.place === 0)
        this.#tell(before, time, worse(pair.rule, value, before.peakValue));
    }
  }

  #tell(state: PairState, resolvedAt: number | null, peakValue: number | null): void {
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

function worse(rule: CompiledRule, value: number | null, than: number | null): number | null {
  if (value === null || than === null) return value ?? than;
  return rule.levels[0].isWorse(value, than) ? value : than;
}
