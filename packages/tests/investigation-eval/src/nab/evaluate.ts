import { join } from 'node:path';
import type { Part } from '../part.ts';
import { changePoints, type OnsetDetector, plainDetector } from './onsets.ts';
import { readNab } from './recording.ts';
import { type OnsetScore, scoreOnsets } from './score-onsets.ts';

export interface NabFigures {
  readonly detector: string;
  readonly series: ReadonlyArray<{ readonly name: string } & OnsetScore>;
  readonly total: OnsetScore;
}

const DETECTORS: readonly OnsetDetector[] = [plainDetector, changePoints];

/** Evaluates only the detection of change points, on labelled metrics of servers (the Numenta Anomaly Benchmark). */
export const nab: Part = {
  key: 'nab',
  name: 'NAB, change points alone',
  run({ data }, print) {
    const figures = evaluateNab(join(data, 'nab'));
    if (figures !== null) print(nabReport(figures));
    return figures;
  },
};

/** The onsets of each detector in the labelled series; null if the recording is not available. */
export function evaluateNab(directory: string): NabFigures[] | null {
  const labelled = readNab(directory);
  if (labelled === null) return null;
  return DETECTORS.map((detector) => {
    const series = labelled.map((each) => ({
      name: each.name,
      ...scoreOnsets(each, detector.onsets(each.metric, each.series)),
    }));
    const sum = (of: (score: OnsetScore) => number) => series.reduce((total, each) => total + of(each), 0);
    return {
      detector: detector.name,
      series,
      total: {
        found: sum(({ found }) => found),
        windows: sum(({ windows }) => windows),
        falseOnsets: sum(({ falseOnsets }) => falseOnsets),
      },
    };
  });
}

/** The results as Markdown. */
export function nabReport(figures: readonly NabFigures[]): string {
  const names = figures[0]?.series.map(({ name }) => name) ?? [];
  const cell = ({ found, windows, falseOnsets }: OnsetScore) =>
    `${found} of ${windows}, ${falseOnsets} false`;
  return [
    `| series | ${figures.map(({ detector }) => detector).join(' | ')} |`,
    `|---|${figures.map(() => '---|').join('')}`,
    ...names.map(
      (name, nth) =>
        `| ${name} | ${figures.map(({ series }) => (series[nth] === undefined ? '' : cell(series[nth]))).join(' | ')} |`,
    ),
    `| all | ${figures.map(({ total }) => cell(total)).join(' | ')} |`,
  ].join('\n');
}
