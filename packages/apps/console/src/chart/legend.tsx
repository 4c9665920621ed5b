import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatValue } from '../components/number/number-format.ts';
import { formatClock, type Zone } from '../components/time/time-format.ts';
import { visibleText } from '../components/visible-text.ts';
import { useCursor } from './chart-group.tsx';
import { maxJoinMs } from './data/gaps.ts';
import { nearestIndex } from './data/points.ts';
import { DASHES } from './plot/palette.ts';
import type { ChartLine } from './plot/picture.ts';
import styles from './time-chart.module.css';

interface ValuesProps {
  lines: readonly ChartLine[];
  unit: Unit | null;
  metric: string;
}

/** The point of a line at a time; undefined where the line has a gap. */
function pointAt({ points, spacing }: ChartLine, at: number) {
  const point = points[nearestIndex(points, at)];
  return point !== undefined && Math.abs(point.t - at) <= maxJoinMs(spacing) / 2 ? point : undefined;
}

/** The values of all lines at a time, in words. */
export function readoutText(
  lines: readonly ChartLine[],
  at: number,
  unit: Unit | null,
  metric: string,
): string {
  const format = (value: number) => formatValue(value, unit, metric);
  const texts = lines.map((line) => {
    const point = pointAt(line, at);
    const name = lines.length > 1 ? `${line.name} ` : '';
    if (point === undefined) return `${name}no data`;
    const { avg, min, max } = point;
    return min === max ? name + format(avg) : `${name}${format(avg)}, min ${format(min)}, max ${format(max)}`;
  });
  return texts.join('; ');
}

/** The value of the only line at the cursor, else its newest. */
export function Readout({ lines, unit, metric, zone }: ValuesProps & { zone: Zone }) {
  const at = useCursor();
  const own = lines.filter(({ shape }) => shape !== 'peers');
  const [line] = own;
  if (line === undefined || own.length > 1) {
    return <span className={styles['value']}>{at !== null && <small>{formatClock(at, zone)}</small>}</span>;
  }
  const point = at === null ? line.points.at(-1) : pointAt(line, at);
  const format = (value: number) => formatValue(value, unit, metric);
  return (
    <span
      className={styles['value']}
      title={point && `mean ${point.avg}, min ${point.min}, max ${point.max}`}
    >
      {point === undefined ? '–' : format(point.avg)}{' '}
      {at !== null && (
        <small>
          {point !== undefined &&
            point.min !== point.max &&
            `${format(point.min)} to ${format(point.max)} · `}
          {formatClock(at, zone)}
        </small>
      )}
    </span>
  );
}

/** The names of lines with their colours and dashes, and their values at the cursor or the newest. */
export function Legend({ lines, unit, metric }: ValuesProps) {
  const at = useCursor();
  return (
    <ul className={styles['legend']} aria-label="Lines">
      {lines.map((line, index) => {
        const point = at === null ? line.points.at(-1) : pointAt(line, at);
        return (
          <li key={line.name}>
            <svg width="24" height="8" aria-hidden="true">
              <line
                x1="0"
                x2="24"
                y1="4"
                y2="4"
                strokeWidth="2"
                stroke={line.shape === 'peers' ? 'var(--muted)' : `var(--series-${(index % 4) + 1})`}
                strokeDasharray={DASHES[index]?.join(' ')}
              />
            </svg>
            <span title={visibleText(line.name)}>{visibleText(line.name)}</span>
            <b>{formatValue(point?.avg, unit, metric)}</b>
          </li>
        );
      })}
    </ul>
  );
}
