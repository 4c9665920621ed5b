import type { Part } from './part.ts';
import { drawPictures } from './pictures/draw-pictures.ts';
import {
  isAmidTrouble,
  isNewHost,
  isOfAlert,
  isQuiet,
  isUnquiet,
  syntheticReport,
} from './report/synthetic-report.ts';
import {
  aloneFigures,
  brier,
  calibrationError,
  type Figures,
  figuresOf,
  reliability,
} from './score/figures.ts';
import type { Outcome } from './score/outcome.ts';
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
    const [quiet, unquiet] = [outcomes.filter(isQuiet), outcomes.filter(isUnquiet)];
    const ofAlerts = outcomes.filter(isOfAlert);
    if (pictures !== null) drawPictures(pictures, quiet);
    const bins = reliability(ofAlerts);
    return {
      kinds: kindFigures(quiet),
      unquietKinds: kindFigures(unquiet),
      kindsAmidTrouble: kindFigures(outcomes.filter(isAmidTrouble)),
      kindsOfNewHosts: kindFigures(outcomes.filter(isNewHost)),
      all: figuresOf(quiet),
      detectors: aloneFigures(quiet),
      reliability: bins,
      calibrationError: calibrationError(bins),
      brier: brier(ofAlerts),
    };
  },
};

function kindFigures(outcomes: readonly Outcome[]): Record<string, Figures> {
  return Object.fromEntries(
    [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, group]) => [kind, figuresOf(group)]),
  );
}
