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
    'alerting-metric': { offset: -3, slope: 0.2 },
    processes: { offset: 1.5, slope: 1 },
    containers: { offset: 1.8, slope: 1 },
    saturation: { offset: 0.5, slope: 1 },
    restarts: { offset: 0.5, slope: 1 },
    changes: { offset: 0, slope: 1 },
    'other-metrics': { offset: -1, slope: 1 },
    'data-gaps': { offset: -4, slope: 1 },
    recurrence: { offset: -5, slope: 1 },
  },
  others: { offset: 0, slope: 1 },
  support: 0.5,
  none: { base: 0, unmoved: 3 },
};
