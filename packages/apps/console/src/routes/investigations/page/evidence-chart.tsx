import { useMemo } from 'react';
import { stepWord } from '../../../chart/data/provenance.ts';
import type { LaneEntry } from '../../../chart/lanes/lanes.ts';
import type { ChartThreshold } from '../../../chart/lanes/thresholds.ts';
import type { ChartLine } from '../../../chart/plot/picture.ts';
import { TimeChart } from '../../../chart/time-chart.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import type { Evidence } from '../investigation-reads.ts';
import { seriesPoints, spacingOf } from '../text/evidence-source.ts';
import { sourceIn, useInvestigation } from './investigation-context.ts';

export interface EvidenceChartProps {
  title: string;
  piece: Evidence;
  lanes?: readonly LaneEntry[];
  thresholds?: readonly ChartThreshold[];
  level?: 2 | 3;
}

/** The points of a piece of evidence, as they were stored when the investigation ran. */
export function EvidenceChart({ title, piece, ...rest }: EvidenceChartProps) {
  const { name, metric, unit } = sourceIn(useInvestigation(), piece);
  const line = useMemo((): ChartLine => {
    const points = seriesPoints(piece);
    return {
      name: visibleText(name),
      points,
      spacing: { stepMs: spacingOf(points), intervalMs: null },
      shape: 'line',
    };
  }, [piece, name]);
  const { points, spacing } = line;
  return (
    <TimeChart
      title={title}
      metric={metric}
      unit={unit}
      lines={[line]}
      provenance={`Frozen evidence: ${points.length} points, ${stepWord(spacing.stepMs)} steps`}
      {...rest}
    />
  );
}
