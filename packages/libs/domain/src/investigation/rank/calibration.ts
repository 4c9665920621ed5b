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

export const CALIBRATION: Calibration = {
  detectors: {
    'alerting-metric': { offset: -3.993, slope: 0.1 },
    processes: { offset: 1.379, slope: 1.696 },
    containers: { offset: 2.521, slope: 2.678 },
    saturation: { offset: 0.404, slope: 2.126 },
    restarts: { offset: 1.269, slope: 2.283 },
    changes: { offset: 2.259, slope: 1.867 },
    'other-metrics': { offset: -2.981, slope: 1.716 },
    'suspect-hosts': { offset: 0.649, slope: 1.509 },
    'shared-tag': { offset: 0.498, slope: 1.849 },
  },
  others: { offset: 0, slope: 1 },
  support: 0.682,
  none: { base: -1.704, unmoved: 3.446 },
};
