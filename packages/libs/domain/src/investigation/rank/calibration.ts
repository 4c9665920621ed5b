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
    'alerting-metric': { offset: -6.548, slope: 0.1 },
    processes: { offset: 1.844, slope: 3.013 },
    containers: { offset: 3.114, slope: 4.428 },
    saturation: { offset: 0.322, slope: 3.893 },
    restarts: { offset: 1.903, slope: 2.605 },
    changes: { offset: 1.923, slope: 2.967 },
    'other-metrics': { offset: -5.328, slope: 3.13 },
    'suspect-hosts': { offset: 2.399, slope: 2.11 },
    'shared-tag': { offset: 1.96, slope: 1.163 },
  },
  others: { offset: 0, slope: 1 },
  support: 1.282,
  none: { base: -1.286, unmoved: 3.602 },
};
