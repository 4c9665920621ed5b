/** How much the log odds of a detector's own score say, and how often its kind of finding is the cause at all. */
export interface Weight {
  readonly offset: number;
  readonly slope: number;
}

export interface Calibration {
  /** By the detector's name. */
  readonly detectors: Readonly<Record<string, Weight>>;
  /** Of a detector that is not listed. */
  readonly others: Weight;
  /** What a second detector adds that found the same. */
  readonly support: number;
  /** The utility of "none of these", and what is added to it the less the symptom itself moved. */
  readonly none: { readonly base: number; readonly unmoved: number };
}

/**
 * Fitted by `npm run eval:investigations -- --fit --seeds 2` on 540 synthetic incidents, whose seeds no figure is taken from
 * (docs/decisions/0059-one-ranking-for-all-findings.md). One in five of them has no cause that could be found.
 */
export const CALIBRATION: Calibration = {
  detectors: {
    'alerting-metric': { offset: -6.309, slope: 0.1 },
    processes: { offset: 1.381, slope: 2.58 },
    containers: { offset: 3.009, slope: 3.883 },
    saturation: { offset: 0.365, slope: 3.655 },
    restarts: { offset: 3.166, slope: 0.725 },
    changes: { offset: 3.894, slope: 2.58 },
    'other-metrics': { offset: -5.502, slope: 2.386 },
    'suspect-hosts': { offset: 1.319, slope: 2.09 },
    'shared-tag': { offset: 0.955, slope: 1.535 },
  },
  others: { offset: 0, slope: 1 },
  support: 0.89,
  none: { base: -1.976, unmoved: 3.304 },
};
