import { DETECTORS } from '@tidewatch/domain/investigation/investigate';
import { isCandidate } from '@tidewatch/domain/investigation/kinds/finding-kinds';
import { CALIBRATION } from '@tidewatch/domain/investigation/rank/calibration';
import { candidatesOf, logOdds, movementOf } from '@tidewatch/domain/investigation/rank/rank';
import type { Incident } from '../incident.ts';
import { KINDS } from '../kinds/kinds.ts';
import { isHit } from '../score/outcome.ts';
import { settingsOf } from '../settings.ts';
import type { Example } from './fit.ts';

/** The findings of the detectors in the incidents on which the weights are fitted. */
export function trainingExamples(seeds: number): Example[] {
  return KINDS.flatMap((kind, nth) =>
    settingsOf('train', nth, seeds).map((setting) => exampleOf(kind.make(setting))),
  );
}

export function exampleOf({ facts, cause }: Incident): Example {
  const drafts = DETECTORS.flatMap((detector) => detector.detect(facts));
  const candidates = candidatesOf(drafts.filter(isCandidate), CALIBRATION);
  return {
    movement: movementOf(drafts),
    candidates: candidates.map(({ findings }) => ({
      hit: findings.some((finding) => isHit(finding, cause)),
      findings: findings.map(({ detector, score }) => ({ detector, logOdds: logOdds(score) })),
    })),
  };
}
