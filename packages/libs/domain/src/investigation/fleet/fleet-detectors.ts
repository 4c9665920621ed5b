import type { Detector } from '../detector.ts';

export const FLEET_DETECTORS: readonly Detector[] = [];
