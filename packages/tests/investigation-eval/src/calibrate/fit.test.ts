import type { Calibration } from '@tidewatch/domain/investigation/rank/calibration';
import { expect, it } from 'vitest';
import { Random } from '../world/random.ts';
import { type Example, fit } from './fit.ts';

const START: Calibration = {
  detectors: { good: { offset: 0, slope: 1 }, bad: { offset: 0, slope: 1 } },
  others: { offset: 0, slope: 1 },
  support: 0,
  none: { base: 0, unmoved: 0 },
};

it('fit gives high weights to a detector that is right, and to "none" if nothing moved', () => {
  const random = new Random(7);
  const examples = Array.from({ length: 400 }, (): Example => {
    const healthy = random.chance(0.3);
    const candidate = (detector: string, hit: boolean) => ({
      hit,
      findings: [{ detector, logOdds: random.between(-1, 3) }],
    });
    return {
      movement: healthy ? 0 : 1,
      candidates: [candidate('good', !healthy && random.chance(0.9)), candidate('bad', false)],
    };
  });
  const { detectors, none } = fit(examples, START);
  expect(detectors['good']?.offset).toBeGreaterThan((detectors['bad']?.offset ?? 0) + 2);
  expect(none.unmoved).toBeGreaterThan(1);
});
