import type { Detector } from './detector.ts';
import type { Facts } from './facts.ts';
import { FLEET_DETECTORS } from './fleet/fleet-detectors.ts';
import { HOST_DETECTORS } from './host-detectors.ts';
import { conclude } from './verdict/conclude.ts';
import type { Verdict } from './verdict/verdict.ts';

/** All detectors in the order in which they run. */
export const DETECTORS: readonly Detector[] = [...HOST_DETECTORS, ...FLEET_DETECTORS];

/** Runs every detector on the facts and concludes a verdict. The same facts always give the same verdict. */
export function investigate(facts: Facts): Verdict {
  return conclude(
    facts,
    DETECTORS.flatMap((detector) => detector.detect(facts)),
  );
}
