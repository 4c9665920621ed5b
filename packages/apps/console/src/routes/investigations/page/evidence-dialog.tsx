import { useState } from 'react';
import { Charts } from '../../../chart/chart-group.tsx';
import chartStyles from '../../../chart/time-chart.module.css';
import { Copy } from '../../../components/copy.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { formatValue } from '../../../components/number/number-format.ts';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { PageLink } from '../../page-link.tsx';
import type { Evidence } from '../investigation-reads.ts';
import { columnsOf, type EvidenceSource, seriesPoints } from '../text/evidence-source.ts';
import { EvidenceChart } from './evidence-chart.tsx';
import { sourceIn, useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** A piece of evidence exactly as the API has it: what was read, and the numbers and rows that came of it. */
export function EvidenceDialog({ piece, onClose }: { piece: Evidence; onClose: () => void }) {
  const view = useInvestigation();
  const { investigation } = view;
  const source = sourceIn(view, piece);
  const { chart } = source;
  const cited = investigation.findings.filter(({ evidence_ids }) => evidence_ids.includes(piece.id));
  return (
    <Dialog title="Evidence" isOpen isWide onClose={onClose}>
      <div className={styles['evidence']}>
        <p className={shared['sentence']}>
          <bdi>{visibleText(source.name)}</bdi>
        </p>
        <dl className={shared['facts']}>
          <dt>From</dt>
          <dd>
            <Time at={piece.from} />
          </dd>
          <dt>To</dt>
          <dd>
            <Time at={piece.to} />
          </dd>
          <dt>Read by</dt>
          <dd>
            <code>{visibleText(piece.query)}</code>
          </dd>
          {cited.length > 0 && (
            <>
              <dt>Cited by</dt>
              <dd>
                {cited.map(({ id, title }) => (
                  <div key={id}>
                    <PageLink page="investigation" id={investigation.id} search={{ finding: id }} keepsPlace>
                      <bdi>{visibleText(title)}</bdi>
                    </PageLink>
                  </div>
                ))}
              </dd>
            </>
          )}
        </dl>
        <Stats stats={piece.stats} source={source} />
        {seriesPoints(piece).length > 1 && <Chart piece={piece} source={source} />}
        <Points piece={piece} />
        <div className={shared['buttons']}>
          <Copy text={JSON.stringify(piece)} label="Copy as JSON" showsText={false} />
          {chart !== undefined && (
            <PageLink page="host" id={chart.serviceId} search={chart.search}>
              Open on the host
            </PageLink>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Numbers that are values of the metric itself and have its unit. */
const OF_METRIC = /_median$|^difference$|^usual_spread$/;

function Stats({ stats, source }: { stats: Evidence['stats']; source: EvidenceSource }) {
  const entries = Object.entries(stats);
  if (entries.length === 0) return null;
  return (
    <table className={shared['lines']}>
      <caption>Numbers</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Exactly</th>
          <th scope="col">Rounded</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{visibleText(name)}</th>
            <td data-value>{cellText(value)}</td>
            <td className={shared['muted']}>
              {typeof value === 'number' && OF_METRIC.test(name) && source.unit !== null
                ? formatValue(value, source.unit, source.metric)
                : ''}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Chart({ piece, source }: { piece: Evidence; source: EvidenceSource }) {
  const points = seriesPoints(piece);
  const [range, setRange] = useState({
    from: new Date(points[0]?.t ?? 0).toISOString(),
    to: new Date((points.at(-1)?.t ?? 0) + 1).toISOString(),
  });
  return (
    <Charts {...range} onRange={setRange}>
      <EvidenceChart title={visibleText(source.name)} piece={piece} level={3} />
    </Charts>
  );
}

/** The rows as they were stored, none left out. */
function Points({ piece }: { piece: Evidence }) {
  const columns = columnsOf(piece);
  if (piece.points.length === 0) return <p className={shared['muted']}>It has no rows.</p>;
  return (
    // A table that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={chartStyles['table']} tabIndex={0} aria-label="Rows of the evidence">
      <table>
        <caption>
          {piece.points.length} {piece.points.length === 1 ? 'row' : 'rows'}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {visibleText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {piece.points.map((point, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are frozen and may be alike
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  <bdi>{cellText(point[column] ?? null)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellText(value: number | string | null): string {
  return value === null ? '–' : visibleText(String(value));
}
