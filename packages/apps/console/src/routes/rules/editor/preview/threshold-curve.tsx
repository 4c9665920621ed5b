import type { Preview } from '@tidewatch/contracts/rules/preview';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { formatNumber, formatValue } from '../../../../components/number/number-format.ts';
import { useForm } from '../../../../form/form-state.ts';
import styles from '../editor.module.css';
import { nearestPoint, pointAfterKey } from './curve-points.ts';

const BOX = { width: 600, height: 120 };

/**
 * Alerts per week by threshold, a line for each duration. A click or a drag on it sets the threshold, and so do the arrow keys
 * on a point.
 */
export function ThresholdCurve({ curve }: { curve: Preview['curve'] }) {
  const { draft, change } = useForm();
  const box = useRef<HTMLDivElement>(null);
  const metric = String(draft['metric'] ?? '');
  const unit = unitOf(metric);
  if (curve.length === 0) return null;
  const durations = [...new Set(curve.map(({ duration_minutes }) => duration_minutes))];
  const thresholds = curve.map(({ threshold }) => threshold);
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)];
  const max = Math.max(...curve.map(({ alerts_per_week }) => alerts_per_week), 1);
  const x = (threshold: number) => (high === low ? 0.5 : (threshold - low) / (high - low)) * 100;
  const y = (alerts: number) => 100 - (alerts / max) * 100;
  const own = Number(draft['duration_minutes'] ?? 5);
  const chosen = durations.includes(own) ? own : (durations[0] ?? own);
  const points = curve.filter(({ duration_minutes }) => duration_minutes === chosen);
  const current = nearestPoint(points, Number(draft['threshold'] ?? low));
  const take = (place: number) => {
    const point = points[place];
    if (point !== undefined && point.threshold !== draft['threshold']) change('/threshold', point.threshold);
  };
  const drag = (event: PointerEvent) => {
    if (event.buttons !== 1 || box.current === null) return;
    const { left, width } = box.current.getBoundingClientRect();
    take(nearestPoint(points, low + ((event.clientX - left) / width) * (high - low)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointAfterKey(event.key, current, points.length);
    if (next === undefined) return;
    event.preventDefault();
    take(next);
    box.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <figure className={styles['curve']}>
      <h3>Alerts per week, by threshold</h3>
      {/* Its buttons do the same by click and by keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        ref={box}
        className={styles['curveBox']}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
          {durations.map((duration, place) => (
            <polyline
              key={duration}
              data-series={place + 1}
              points={curve
                .filter((point) => point.duration_minutes === duration)
                .map(
                  ({ threshold, alerts_per_week }) =>
                    `${(x(threshold) * BOX.width) / 100},${(y(alerts_per_week) * BOX.height) / 100}`,
                )
                .join(' ')}
            />
          ))}
        </svg>
        {points.map(({ threshold, alerts, alerts_per_week }, place) => (
          <button
            key={threshold}
            type="button"
            // One point is reached by Tab, the others from there by arrow keys.
            tabIndex={place === current ? 0 : -1}
            aria-pressed={draft['threshold'] === threshold}
            aria-label={`Set the threshold to ${formatValue(threshold, unit, metric)}: ${alerts} alerts`}
            title={`${formatValue(threshold, unit, metric)}: ${alerts} alerts, ${formatNumber(alerts_per_week)} a week`}
            style={{ left: `${x(threshold)}%`, top: `${y(alerts_per_week)}%` }}
            onClick={() => take(place)}
          />
        ))}
      </div>
      <div className={styles['days']} aria-hidden="true">
        <span>{formatValue(low, unit, metric)}</span>
        <span>{formatValue(high, unit, metric)}</span>
      </div>
      <figcaption>
        {durations.map((duration, place) => (
          <span key={duration}>
            <i data-series={place + 1} /> for {duration} min
          </span>
        ))}
        <span>0 to {formatNumber(max)} a week</span>
      </figcaption>
    </figure>
  );
}
