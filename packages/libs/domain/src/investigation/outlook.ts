import type { Summary } from './finding.ts';

/** The time range in which an investigation looks for the start of the trouble. Times are in ms. */
export interface Outlook {
  readonly to: number;
  /** The earliest possible start of the trouble, ms; values before this time define what is usual. */
  readonly doubtFrom: number;
  /** When the trouble was noticed, ms; values before this define what is usual if too few precede `doubtFrom`. */
  readonly noticedAt?: number;
}

/** How one metric moved away from its usual values, and since when. */
export interface Shift {
  readonly baseline: Summary;
  readonly observed: Summary;
  /** The observed value less the usual one, in the unit of the metric. */
  readonly delta: number;
  /** The usual size of such differences, in the unit of the metric. */
  readonly spread: number;
  /** `delta` as a multiple of `spread`, with its sign. */
  readonly z: number;
  /** 0 to 1: how probably the shift is real; one half at six usual spreads. */
  readonly score: number;
  readonly startedAt: number;
  readonly shape: 'step' | 'ramp';
  /** Whether the metric had similar values a day earlier at the same time. */
  readonly usualAtThisTime: boolean;
}
