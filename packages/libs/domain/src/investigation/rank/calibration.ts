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
    'alerting-metric': { offset: -5.653, slope: 0.1 },
    processes: { offset: 1.606, slope: 2.181 },
    containers: { offset: 2.869, slope: 3.549 },
    saturation: { offset: 0.373, slope: 3.496 },
    restarts: { offset: 2.164, slope: 1.503 },
    changes: { offset: 3.779, slope: 2.543 },
    'other-metrics': { offset: -4.884, slope: 2.305 },
    'suspect-hosts': { offset: 1.285, slope: 1.772 },
    'shared-tag': { offset: 0.661, slope: 0.608 },
  },
  others: { offset: 0, slope: 1 },
  support: 0.846,
  none: { base: -1.899, unmoved: 3.278 },
};
