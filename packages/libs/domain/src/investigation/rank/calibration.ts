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
 * Fitted by `npm run eval:investigations -- --fit --seeds 2` on 504 synthetic incidents, whose seeds no figure is taken from
 * (docs/decisions/0059-one-ranking-for-all-findings.md). One in seven of them has no cause that could be found.
 */
export const CALIBRATION: Calibration = {
  detectors: {
    'alerting-metric': { offset: -4.565, slope: 0.1 },
    processes: { offset: 1.713, slope: 1.712 },
    containers: { offset: 2.703, slope: 3.11 },
    saturation: { offset: 0.366, slope: 3.303 },
    restarts: { offset: 1.39, slope: 2.658 },
    changes: { offset: 2.999, slope: 2.174 },
    'other-metrics': { offset: -3.762, slope: 2.059 },
    'suspect-hosts': { offset: 1.092, slope: 2.19 },
    'shared-tag': { offset: 0.862, slope: 1.348 },
  },
  others: { offset: 0, slope: 1 },
  support: 0.885,
  none: { base: -2.496, unmoved: 3.865 },
};
