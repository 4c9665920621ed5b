import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { inactivePair, type JudgedService, type Pair } from './judged-service.ts';

/** Times of samples kept, one more than the intervals of the median. A copy of them takes half of what a typed array does. */
const NO_TIMES: readonly number[] = Array.from({ length: 10 }, () => Number.NEGATIVE_INFINITY);
const TIMES_KEPT = NO_TIMES.length;

/**
 * One metric of one host that at least one rule judges. While all pairs are inactive, a value strictly between
 * `quietAbove` and `quietBelow` breaches none of the rules: then one comparison stands for all of them, and only
 * `judgedAt` moves. Pairs that differ in nothing but their rule are not kept at all: the stream is at rest until `wake`
 * makes them anew. Most streams of a fleet are at rest, and what they do not hold no collection has to look at.
 */
export class Stream {
  readonly metric: string;
  /** What judges it. */
  rules: readonly CompiledRule[] = [];
  /** One for each of the rules; none while the stream is at rest. */
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
    if (!this.#ahead) {
      this.#ahead = true;
      this.#rest();
    }
    this.observe(time);
    return true;
  }

  /** The pairs as they stand now, to be judged by themselves. */
  wake(service: JudgedService): Pair[] {
    if (this.pairs.length === 0) {
      this.pairs = this.rules.map((rule) => inactivePair(service, rule, this.judgedAt));
    } else if (this.#ahead) {
      for (const pair of this.pairs) pair.judgedAt = Math.max(pair.judgedAt, this.judgedAt);
    }
    this.#ahead = false;
    return this.pairs;
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

  /** Takes other rules, or edited ones, with their pairs in the same order. */
  replacePairs(rules: readonly CompiledRule[], pairs: Pair[]): void {
    this.rules = rules;
    this.pairs = pairs;
    this.notedIn = -1;
    this.quietAbove = Number.NEGATIVE_INFINITY;
    this.quietBelow = Number.POSITIVE_INFINITY;
    for (const rule of rules) this.#narrow(rule);
    this.settle();
    if (this.quiet && pairs.every((pair) => pair.judgedAt === this.judgedAt)) this.#rest();
  }

  /** Only for pairs that are inactive and have judged the same samples. One that is still stored is to be deleted there. */
  #rest(): void {
    if (!this.pairs.some((pair) => pair.stored)) this.pairs = [];
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
