import type { Part } from './part.ts';
import { drawPictures } from './pictures/draw-pictures.ts';
import { syntheticReport } from './report/synthetic-report.ts';
import { aloneFigures, brier, calibrationError, figuresOf, reliability } from './score/figures.ts';
import { runKinds } from './score/run.ts';

/** The part that evaluates synthetic incidents with seeds that were neither fitted on nor inspected. */
export const synthetic: Part = {
  key: 'synthetic',
  name: 'synthetic incidents',
  run({ seeds, firstSeed, pictures }, print) {
    const outcomes = runKinds({
      set: 'test',
      seeds,
      firstSeed,
      clock: () => process.cpuUsage().user / 1_000,
    });
    print(syntheticReport(outcomes));
    if (pictures !== null) drawPictures(pictures, outcomes);
    const bins = reliability(outcomes);
    return {
      kinds: Object.fromEntries(
        [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, group]) => [kind, figuresOf(group)]),
      ),
      all: figuresOf(outcomes),
      detectors: aloneFigures(outcomes),
      reliability: bins,
      calibrationError: calibrationError(bins),
      brier: brier(outcomes),
    };
  },
};
