import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { type PointerEvent, useRef } from 'react';
import { formatValue } from '../../../../components/number/number-format.ts';
import { formatClock, formatDate } from '../../../../components/time/time-format.ts';
import { visibleText } from '../../../../components/visible-text.ts';
import { useForm } from '../../../../form/form-state.ts';
import { usePreferences } from '../../../../preferences/preferences.ts';
import styles from '../editor.module.css';
import { linePath, roundedThreshold, scaleOf } from './plot-scale.ts';
import type { MetricHistory } from './read-history.ts';

const BOX = { width: 600, height: 160 };
const LABELS = 7;

/** The metric of the highest hosts with the threshold, which can be dragged; the field sets the same. */
export function HistoryPlot({ history, rule }: { history: MetricHistory; rule: RuleDefinition | null }) {
  const { draft, change } = useForm();
  const { zone } = usePreferences();
  const plot = useRef<SVGSVGElement>(null);
  const metric = String(draft['metric'] ?? '');
  const unit = unitOf(metric);
  const threshold = typeof draft['threshold'] === 'number' ? draft['threshold'] : null;
  const limits = rule?.thresholds?.map((level) => level.threshold) ?? (threshold === null ? [] : [threshold]);
  const values = [...history.hosts.flatMap((host) => host.values), ...limits];
  const scale = scaleOf(BOX, history, values, unit === 'percent');
  const drag = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons !== 1 || threshold === null || plot.current === null) return;
    const { top, height } = plot.current.getBoundingClientRect();
    const y = ((event.clientY - top) / height) * BOX.height;
    change('/threshold', roundedThreshold(scale.valueAt(Math.min(Math.max(y, 0), BOX.height))));
  };
  const span = history.to - history.from;
  const labels = Array.from({ length: LABELS }, (_, place) => history.from + ((place + 0.5) * span) / LABELS);
  return (
    <figure className={styles['plot']}>
      <svg
        ref={plot}
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${metric} of ${history.hosts.map(({ host }) => visibleText(host)).join(', ')} in the last 7 days`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
      >
        {history.hosts.map(({ host, times, values: own }, place) => (
          <path
            key={host}
            data-series={place + 1}
            d={linePath(times, own, history.stepSeconds * 1_000, scale)}
          />
        ))}
        {limits.map((limit) => (
          <line
            key={limit}
            className={styles['threshold']}
            x1={0}
            x2={BOX.width}
            y1={scale.y(limit)}
            y2={scale.y(limit)}
          />
        ))}
      </svg>
      <div className={styles['days']} aria-hidden="true">
        {labels.map((time) => (
          <span key={time}>
            {span > 2 * DAY_MS ? formatDate(time, zone).slice(5) : formatClock(time, zone).slice(0, 5)}
          </span>
        ))}
      </div>
      <figcaption>
        {history.hosts.map(({ host }, place) => (
          <span key={host}>
            <i data-series={place + 1} /> {visibleText(host)}
          </span>
        ))}
        <span>
          0 to {formatValue(scale.max, unit, metric)} · means of {history.stepSeconds / 60} min
          {threshold !== null && ' · drag the line to change the threshold'}
        </span>
      </figcaption>
    </figure>
  );
}
