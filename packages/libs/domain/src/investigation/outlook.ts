import type { Summary } from './finding.ts';

/** Where to look: the newest moment, and from when on the trouble may have begun. */
export interface Outlook {
  readonly to: number;
  /** What is before is the past that the rest is compared with, ms. */
  readonly doubtFrom: number;
  /** When the trouble was noticed: where too little is known before the doubt began, what is before this is the past. */
  readonly noticedAt?: number;
}

/** How one metric moved away from its usual values, and since when. */
export interface Shift {
  readonly baseline: Summary;
  readonly observed: Summary;
  /** Observed less usual, in the metric's unit. */
  readonly delta: number;
  /** The usual size of such differences. */
  readonly spread: number;
  /** `delta` in spreads, signed. */
  readonly z: number;
  /** 0 to 1; one half at six usual spreads. */
  readonly score: number;
  readonly startedAt: number;
  readonly shape: 'step' | 'ramp';
  /** Yesterday at the same time it was as it is now. */
  readonly usualAtThisTime: boolean;
}
