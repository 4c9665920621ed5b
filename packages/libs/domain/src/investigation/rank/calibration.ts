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
 * Fitted by `npm run eval:investigations -- --fit --seeds 3` on 810 synthetic incidents, whose seeds no figure is taken from
 * (docs/decisions/0059-one-ranking-for-all-findings.md). One in five of them has no cause that could be found.
 */
export const CALIBRATION: Calibration = {
  detectors: {
    'alerting-metric': { offset: -6.626, slope: 0.1 },
    processes: { offset: 2.61, slope: 3.116 },
    containers: { offset: 3.276, slope: 4.838 },
    saturation: { offset: 0.378, slope: 4.063 },
    restarts: { offset: 1.388, slope: 3.299 },
    changes: { offset: 1.111, slope: 3.157 },
    'other-metrics': { offset: -5.21, slope: 3.408 },
    'suspect-hosts': { offset: 1.263, slope: 3.012 },
    'shared-tag': { offset: 2.474, slope: 1.479 },
  },
  others: { offset: 0, slope: 1 },
  support: 1.446,
  none: { base: -0.36, unmoved: 3.784 },
};
