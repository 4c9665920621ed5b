import type { Detector } from './detector.ts';
import { alertingMetric } from './detectors/alerting-metric.ts';
import { changes } from './detectors/changes.ts';
import { dataGaps } from './detectors/data-gaps.ts';
import { leadingUser } from './detectors/leading-user.ts';
import { ownMetrics } from './detectors/own-metrics.ts';
import { recurrence } from './detectors/recurrence.ts';
import { restarts } from './detectors/restarts.ts';
import { saturation } from './detectors/saturation.ts';
import { containers, processes } from './detectors/uses.ts';

/** The detectors of causes on the alerting host itself, in the order in which a person would check. */
export const HOST_DETECTORS: readonly Detector[] = [
  alertingMetric,
  processes,
  containers,
  leadingUser,
  saturation,
  restarts,
  changes,
  ownMetrics,
  dataGaps,
  recurrence,
];
