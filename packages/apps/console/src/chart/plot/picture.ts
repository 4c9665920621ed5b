import type { Severity } from '@tidewatch/contracts/values/severity';
import type { ChartPoint, Spacing } from '../data/gaps.ts';
import type { Range } from '../data/range.ts';
import type { PlotLayout } from './layout.ts';
import type { TimeTick } from './time-ticks.ts';
import type { ValueScale } from './value-scale.ts';

/** One line of a chart with its band. */
export interface ChartLine {
  name: string;
  points: readonly ChartPoint[];
  spacing: Spacing;
  /** `band` fills from min to max beneath the line; `peers` is a grey band with a thin line, behind all others. */
  shape: 'line' | 'band' | 'peers';
}

/** A threshold of a rule on the axis of values. */
export interface PictureThreshold {
  value: number;
  severity: Severity;
  isRecovery: boolean;
}

/** Everything that one drawing of a chart shows. */
export interface Picture {
  range: Range;
  lines: readonly ChartLine[];
  scale: ValueScale;
  valueLabels: readonly string[];
  timeTicks: readonly TimeTick[];
  layout: PlotLayout;
  thresholds: readonly PictureThreshold[];
  /** Times at which a threshold is breached, which are tinted. */
  breaches: readonly { span: Range; severity: Severity }[];
  /** The time after the last point, which has no data. */
  hatched: Range | undefined;
  /** The span of the lane's entry that has the pointer or the focus. */
  highlighted: Range | undefined;
}
