import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { normalAt, type Random } from './random.ts';

/** The time between two random values of the slow noise, ms; noise between them is interpolated linearly. */
const KNOT = 2 * MINUTE_MS;

/** Returns the amount that an effect adds to a metric at a time (ms). */
export type Effect = (time: number) => number;

/** The ordinary course of a metric, in the metric's own unit. */
export interface Nature {
  readonly base: number;
  /** The max change of the metric over a day, up and down. */
  readonly rhythm: number;
  /** Noise that lasts for minutes: its standard deviation, and as `alike` its correlation with the noise two minutes later. */
  readonly slow: number;
  readonly alike: number;
  /** The standard deviation of the noise that differs from sample to sample. */
  readonly fast: number;
  /** True if noise multiplies the value instead of being added, as with rates, which have heavy tails. */
  readonly multiplied?: boolean;
  readonly least?: number;
  readonly most?: number;
}

/** A metric over time. Its value depends only on the time, not on the order in which values are read. */
export class Signal {
  private readonly slow: Float64Array;
  private readonly seed: number;
  private readonly phase: number;
  private readonly effects: Effect[] = [];
  private readonly nature: Nature;
  private readonly begin: number;
  private ceiling: Effect = () => Number.POSITIVE_INFINITY;
  private factor = 1;
  private readonly loud: Effect[] = [];

  constructor(nature: Nature, random: Random, begin: number, end: number) {
    this.nature = nature;
    this.begin = begin;
    this.seed = random.whole(1, 2 ** 30);
    this.phase = random.between(-0.1, 0.1);
    this.slow = new Float64Array(Math.ceil((end - begin) / KNOT) + 2);
    const step = Math.sqrt(1 - nature.alike ** 2);
    let value = random.normal();
    for (let i = 0; i < this.slow.length; i++) {
      this.slow[i] = value;
      value = nature.alike * value + step * random.normal();
    }
  }

  add(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Whether any effect was added. */
  get isAffected(): boolean {
    return this.effects.length > 0;
  }

  /** Adds so many times the ordinary course, noise included; that is no part of an incident. */
  multiply(effect: Effect): void {
    this.loud.push(effect);
  }

  /** Multiplies the ordinary course, without effects. */
  scale(factor: number): void {
    this.factor = factor;
  }

  /** Limits the value to `ceiling`, as the capacity of a network link does. */
  limit(ceiling: Effect): void {
    this.ceiling = ceiling;
  }

  at(time: number): number {
    const { base, rhythm, slow, fast, multiplied, least, most } = this.nature;
    const day = rhythm * Math.sin(2 * Math.PI * ((time % DAY_MS) / DAY_MS + this.phase - 0.3));
    const position = (time - this.begin) / KNOT;
    const knot = Math.floor(position);
    const before = this.slow[knot] ?? 0;
    const drift = before + ((this.slow[knot + 1] ?? before) - before) * (position - knot);
    const noise = slow * drift + fast * normalAt(this.seed, Math.round(time / 1_000));
    const times = this.loud.reduce((sum, effect) => sum + effect(time), this.factor);
    let value = times * (multiplied ? Math.max(base + day, 0) * Math.exp(noise) : base + day + noise);
    for (const effect of this.effects) value += effect(time);
    return Math.max(
      least ?? Number.NEGATIVE_INFINITY,
      Math.min(most ?? Number.POSITIVE_INFINITY, value, this.ceiling(time)),
    );
  }
}

/** An effect of `size` from `from` (reached within `rise` ms) until `to`. */
export function step(size: number, from: number, rise = 0, to = Number.POSITIVE_INFINITY): Effect {
  return (time) =>
    time < from || time >= to ? 0 : rise === 0 ? size : size * Math.min(1, (time - from) / rise);
}

/** An effect that grows by a fixed amount per hour. */
export function climb(perHour: number, from: number, most = Number.POSITIVE_INFINITY): Effect {
  return (time) => Math.min(most, (Math.max(0, time - from) / 3_600_000) * perHour);
}
