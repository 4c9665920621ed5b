import { formatDuration } from '../../../components/number/number-format.ts';
import { Status } from '../../../components/status/status.tsx';
import type { Column } from '../../../components/table/column.ts';
import { Ago } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import styles from '../../alerts/list/alerts-page.module.css';
import { PageLink } from '../../page-link.tsx';
import type { InvestigationItem } from '../investigation-reads.ts';
import { shortVerdict, verdictWords } from '../investigation-words.ts';

/** The columns of the list. `fresh` are the ids of rows that appeared a moment ago. */
export function investigationColumns(fresh: Pick<ReadonlySet<string>, 'has'>): Column<InvestigationItem>[] {
  return [
    {
      id: 'severity',
      heading: 'Severity',
      width: '84px',
      cell: ({ severity }) => (severity === null ? '–' : <Status status={severity} />),
    },
    {
      id: 'host',
      heading: 'Host',
      width: 'minmax(96px, 1fr)',
      cell: ({ host }) => <bdi title={visibleText(host)}>{visibleText(host)}</bdi>,
    },
    {
      id: 'title',
      heading: 'Investigation',
      width: 'minmax(220px, 4fr)',
      wraps: true,
      cell: ({ id, title }) => (
        <>
          {fresh.has(id) && <span className={styles['new']}>new</span>}
          <PageLink page="investigation" id={id} title={visibleText(title)}>
            <bdi>{visibleText(title)}</bdi>
          </PageLink>
        </>
      ),
    },
    {
      id: 'verdict',
      heading: 'Conclusion',
      width: '124px',
      wraps: true,
      cell: (investigation) => <span title={verdictWords(investigation)}>{shortVerdict(investigation)}</span>,
    },
    {
      id: 'cause',
      heading: 'Root cause',
      width: 'minmax(200px, 4fr)',
      wraps: true,
      cell: (investigation) => {
        const cause = causeTitle(investigation);
        return cause === null ? '–' : <bdi title={cause}>{cause}</bdi>;
      },
    },
    { id: 'begun', heading: 'Started', width: '80px', cell: ({ created_at }) => <Ago at={created_at} /> },
    { id: 'took', heading: 'Took', width: '64px', isNumber: true, cell: tookText },
  ];
}

/** An investigation on two lines, for phones. */
export function NarrowInvestigation({ investigation }: { investigation: InvestigationItem }) {
  const { id, host, title, created_at } = investigation;
  return (
    <PageLink page="investigation" id={id} className={styles['narrow'] ?? ''}>
      <span className={styles['narrowFirst']}>
        <span>{shortVerdict(investigation)}</span>
        <span className={styles['narrowSince']}>
          <Ago at={created_at} />
        </span>
      </span>
      <bdi className={styles['narrowSecond']} title={visibleText(title)}>
        {visibleText(host)}: {causeTitle(investigation) ?? visibleText(title)}
      </bdi>
    </PageLink>
  );
}

/** The cause is the first finding of an investigation that names one. */
function causeTitle({ conclusion, findings }: InvestigationItem): string | null {
  const [first] = findings;
  return conclusion !== 'root_cause_found' || first === undefined ? null : visibleText(first.title);
}

/** From the request to the end, the time in the queue included. */
function tookText({ created_at, completed_at }: InvestigationItem): string {
  return completed_at === null ? '–' : formatDuration(Date.parse(completed_at) - Date.parse(created_at));
}
