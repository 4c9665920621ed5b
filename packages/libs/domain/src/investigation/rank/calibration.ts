/** How much the log odds of a detector's own score say, and how often its kind of finding is the cause at all. */
export interface Weight {
  readonly offset: number;
  readonly slope: number;
}

export interface Calibration {
  /** Weights of the detectors, by the name of the detector. */
  readonly detectors: Readonly<Record<string, Weight>>;
  /** Weight of a detector that is not listed. */
  readonly others: Weight;
  /** The utility added to a candidate cause for each further detector that found it too. */
  readonly support: number;
  /** The utility of the answer "none of these"; `unmoved` is added in proportion as the symptom did not move. */
  readonly none: { readonly base: number; readonly unmoved: number };
}

/**
 * Fitted by `npm run eval:investigations -- --fit --seeds 3` on 864 synthetic incidents, whose seeds no figure is taken from
 * (docs/decisions/0059-one-ranking-for-all-findings.md). One in five of them has no cause that could be found.
 */
export const CALIBRATION: Calibration = {
  detectors: {
    'alerting-metric': { offset: -6.695, slope: 0.1 },
    processes: { offset: 3.448, slope: 2.881 },
    containers: { offset: 3.381, slope: 5.107 },
    saturation: { offset: 0.402, slope: 4.18 },
    restarts: { offset: 1.095, slope: 3.752 },
    changes: { offset: 0.688, slope: 3.297 },
    'other-metrics': { offset: -5.157, slope: 3.594 },
    'suspect-hosts': { offset: 0.718, slope: 3.408 },
    'shared-tag': { offset: 2.776, slope: 1.652 },
  },
  others: { offset: 0, slope: 1 },
  support: 1.535,
  none: { base: -0.351, unmoved: 3.817 },
};
