import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { Pair } from './judged-service.ts';

/** Times of samples kept, one more than the intervals of the median. A copy of them takes half of what a typed array does. */
const NO_TIMES: readonly number[] = Array.from({ length: 10 }, () => Number.NEGATIVE_INFINITY);
const TIMES_KEPT = NO_TIMES.length;

/**
 * One metric of one host that at least one rule judges. While all pairs are inactive, a value strictly between
 * `quietAbove` and `quietBelow` breaches none of the rules: then one comparison stands for all of them, and only
 * `judgedAt` moves. `settle` and `spread` keep the pairs' own times in step.
 */
export class Stream {
  readonly metric: string;
  pairs: Pair[] = [];
  /** The epoch in which its rules were last noted as active. */
  notedIn = -1;
  /** Whether all pairs are inactive. */
  quiet = false;
  quietAbove = Number.POSITIVE_INFINITY;
  quietBelow = Number.NEGATIVE_INFINITY;
  /** The newest time that all pairs have judged, or that any has; ms. */
  judgedAt = Number.NEGATIVE_INFINITY;
  #ahead = false;
  readonly #seedMs: number;
  readonly #times = NO_TIMES.slice();
  #count = 0;
  #newest: number;

  constructor(metric: string, usualIntervalMs: number, newest: number) {
    this.metric = metric;
    this.#seedMs = usualIntervalMs;
    this.#newest = newest;
    if (newest > Number.NEGATIVE_INFINITY) this.#times[this.#count++] = newest;
  }

  /** Whether the sample changes nothing but the time of the last judged; takes it if so. */
  passes(time: number, value: number): boolean {
    if (!this.quiet || value <= this.quietAbove || value >= this.quietBelow || time < this.judgedAt)
      return false;
    this.judgedAt = time;
    this.#ahead = true;
    this.observe(time);
    return true;
  }

  /** Hands the time of samples that passed on to the pairs, before one of them is judged by itself. */
  spread(): void {
    if (!this.#ahead) return;
    this.#ahead = false;
    for (const pair of this.pairs) pair.judgedAt = Math.max(pair.judgedAt, this.judgedAt);
  }

  /** To be called after pairs were judged by themselves. */
  settle(): void {
    let quiet = true;
    let judgedAt = Number.NEGATIVE_INFINITY;
    for (const pair of this.pairs) {
      if (pair.state !== null) quiet = false;
      if (pair.judgedAt > judgedAt) judgedAt = pair.judgedAt;
    }
    this.quiet = quiet;
    this.judgedAt = judgedAt;
  }

  /** Takes other pairs, or the same under edited rules. */
  replacePairs(pairs: Pair[]): void {
    this.pairs = pairs;
    this.notedIn = -1;
    this.quietAbove = Number.NEGATIVE_INFINITY;
    this.quietBelow = Number.POSITIVE_INFINITY;
    for (const { rule } of pairs) this.#narrow(rule);
    this.settle();
  }

  /** Takes the time of a sample; late ones tell nothing about the interval. */
  observe(time: number): void {
    if (time <= this.#newest) return;
    this.#newest = time;
    this.#times[this.#count % TIMES_KEPT] = time;
    this.#count += 1;
  }

  /** The usual interval in ms before the next sample, 0 while unknown. Asked for rarely, so nothing is kept of it. */
  usualIntervalMs(): number {
    const interval = new UsualInterval({ ms: this.#seedMs, lastTime: null });
    for (let i = Math.max(0, this.#count - TIMES_KEPT); i < this.#count; i += 1)
      interval.observe(this.#times[i % TIMES_KEPT] as number);
    return interval.ms;
  }

  /** The bounds themselves never pass, so that it does not matter whether a condition includes them. */
  #narrow({ condition, threshold, thresholdMax }: CompiledRule): void {
    switch (condition) {
      case 'greater_than':
      case 'greater_than_or_equal':
      case 'equal':
      case 'between':
        this.quietBelow = Math.min(this.quietBelow, threshold);
        return;
      case 'less_than':
      case 'less_than_or_equal':
        this.quietAbove = Math.max(this.quietAbove, threshold);
        return;
      case 'not_equal':
      case 'not_between':
        this.quietAbove = Math.max(this.quietAbove, threshold);
        this.quietBelow = Math.min(this.quietBelow, thresholdMax ?? threshold);
    }
  }
}
