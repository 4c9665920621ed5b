import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatValue, isOfBytes } from '../../components/number/number-format.ts';
import type { Zone } from '../../components/time/time-format.ts';
import { silenceAfter } from '../data/gaps.ts';
import type { Range } from '../data/range.ts';
import { breachesOf, type ChartThreshold, thresholdLines } from '../lanes/thresholds.ts';
import { maxTimeTicks, maxValueTicks, plotLayout } from './layout.ts';
import type { ChartLine, Picture } from './picture.ts';
import { timeTicks } from './time-ticks.ts';
import { valueScale } from './value-scale.ts';

export interface PictureInput {
  range: Range;
  now: number;
  lines: readonly ChartLine[];
  thresholds: readonly ChartThreshold[];
  unit: Unit | null;
  metric: string;
  zone: Zone;
  width: number;
  height: number;
  isFitted: boolean;
  highlighted: Range | undefined;
}

/** Decides everything that a chart shows: scales, ticks, spans and hatching. */
export function composePicture(input: PictureInput): Picture {
  const { range, now, lines, thresholds, unit, metric, zone, width, height, isFitted, highlighted } = input;
  const marks = thresholdLines(thresholds);
  const scale = valueScale(
    lines.map(({ points }) => points),
    {
      unit: isOfBytes(unit, metric) ? 'bytes' : unit,
      isFitted,
      maxTicks: maxValueTicks(height),
      limits: marks.map(({ value }) => value),
    },
  );
  const valueLabels = scale.ticks.map((tick) => formatValue(tick, unit, metric));
  const layout = plotLayout(width, height, valueLabels);
  const own = lines.filter(({ shape }) => shape !== 'peers');
  const [first] = own;
  return {
    range,
    lines,
    scale,
    valueLabels,
    layout,
    timeTicks: timeTicks(range, maxTimeTicks(layout.plotWidth), zone),
    thresholds: marks.filter(({ value }) => value >= scale.min && value <= scale.max),
    breaches:
      first !== undefined && own.length === 1
        ? breachesOf(thresholds, first.points, first.spacing.stepMs)
        : [],
    // With several lines, those that go on show that data still arrive.
    hatched: latestSilence(own, range, now),
    highlighted,
  };
}

function latestSilence(lines: readonly ChartLine[], range: Range, now: number): Range | undefined {
  const silences = lines.map(({ points, spacing }) => silenceAfter(points, spacing, range, now));
  if (silences.length === 0 || silences.some((silence) => silence === undefined)) return undefined;
  return silences.reduce((latest, silence) =>
    silence && latest && silence.from > latest.from ? silence : latest,
  );
}
