import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatDuration, formatValue } from '../components/number/number-format.ts';
import { formatTime, type Zone } from '../components/time/time-format.ts';
import { tableRows } from './data/table-rows.ts';
import type { ChartLine } from './plot/picture.ts';
import styles from './time-chart.module.css';

export interface DataTableProps {
  title: string;
  metric: string;
  unit: Unit | null;
  lines: readonly ChartLine[];
  zone: Zone;
}

/** The points and gaps of a chart as a table, the newest first. */
export function DataTable({ title, metric, unit, lines, zone }: DataTableProps) {
  const [only] = lines;
  const isSingle = lines.length === 1;
  const hasCount = isSingle && (only?.points.some(({ count }) => count !== undefined) ?? false);
  const headings = isSingle
    ? ['Mean', 'Min', 'Max', ...(hasCount ? ['Samples'] : [])]
    : lines.map(({ name }) => name);
  const cell = (value: number | undefined) => (
    <span title={value === undefined ? undefined : String(value)}>{formatValue(value, unit, metric)}</span>
  );
  return (
    // A table that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles['table']} tabIndex={0} aria-label={`Table of ${title}`}>
      <table>
        <caption>Data of {title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows(lines).map((row) =>
            row.kind === 'gap' ? (
              <tr key={`gap ${row.name} ${row.from}`} data-gap>
                <td colSpan={headings.length + 1}>
                  No data{row.name} from {formatTime(row.from, zone)} to {formatTime(row.to, zone)} (
                  {formatDuration(row.to - row.from)})
                </td>
              </tr>
            ) : (
              <tr key={row.t}>
                <th scope="row">
                  <time dateTime={new Date(row.t).toISOString()}>{formatTime(row.t, zone)}</time>
                </th>
                {isSingle ? (
                  <>
                    <td>{cell(row.points[0]?.avg)}</td>
                    <td>{cell(row.points[0]?.min)}</td>
                    <td>{cell(row.points[0]?.max)}</td>
                    {hasCount && <td>{row.points[0]?.count}</td>}
                  </>
                ) : (
                  lines.map(({ name }, index) => <td key={name}>{cell(row.points[index]?.avg)}</td>)
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}
