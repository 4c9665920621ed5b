import { type CurvePoint, type CurveRange, curvePath } from './curve-path.ts';
import styles from './system-page.module.css';

/** The course of a figure. The value beside it is the newest; `label` says what is drawn. */
export function Curve({
  points,
  range,
  label,
}: {
  points: readonly CurvePoint[];
  range: CurveRange;
  label: string;
}) {
  return (
    <svg
      className={styles['curve']}
      viewBox="0 0 120 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={curvePath(points, range)} />
    </svg>
  );
}
