import { formatDuration } from '../../../components/number/number-format.ts';
import { Status } from '../../../components/status/status.tsx';
import { statusWord } from '../../../components/status/status-kinds.ts';
import type { Column } from '../../../components/table/column.ts';
import { Age, Ago } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { PageLink } from '../../page-link.tsx';
import type { Alert } from '../alert-reads.ts';
import { alertName, sentenceParts } from '../alert-words.ts';
import type { AlertLine } from './alert-groups.ts';
import styles from './alerts-page.module.css';

/** The columns of a list of alerts. `toggle` selects an alert; absent where alerts cannot be selected. */
export function alertColumns(toggle: ((id: string) => void) | undefined): Column<AlertLine>[] {
  return [
    ...(toggle === undefined
      ? []
      : [
          {
            id: 'select',
            heading: <span className="visually-hidden">Select</span>,
            width: '24px',
            cell: ({ alert }: AlertLine, isSelected: boolean) => (
              <input
                type="checkbox"
                className={styles['select'] ?? ''}
                aria-label={`Select ${visibleText(alertName(alert))}`}
                checked={isSelected}
                onChange={() => toggle(alert.id)}
              />
            ),
          },
        ]),
    {
      id: 'severity',
      heading: 'Severity',
      width: '120px',
      wraps: true,
      cell: ({ alert }) => <AlertStatus alert={alert} />,
    },
    {
      id: 'host',
      heading: 'Host',
      width: 'minmax(84px, 1fr)',
      cell: ({ alert: { host } }) => <span title={visibleText(host)}>{visibleText(host)}</span>,
    },
    {
      id: 'alert',
      heading: 'Alert',
      width: 'minmax(200px, 4fr)',
      wraps: true,
      cell: ({ alert, isNew }) => (
        <>
          {isNew && <span className={styles['new']}>new</span>}
          <Sentence alert={alert} />
        </>
      ),
    },
    {
      id: 'since',
      heading: 'Duration',
      width: '104px',
      wraps: true,
      cell: ({ alert }) => <Lasted alert={alert} />,
    },
    {
      id: 'acknowledged',
      heading: 'Acknowledged',
      width: '96px',
      cell: ({ alert: { acknowledged_by } }) => {
        if (acknowledged_by === null) return '–';
        const name = visibleText(acknowledged_by.name);
        return <span title={name}>{name}</span>;
      },
    },
    {
      id: 'notifications',
      heading: 'Notified',
      width: '80px',
      cell: ({ alert: { notifications } }) => notifiedWord(notifications),
    },
    {
      id: 'cause',
      heading: 'Likely cause',
      width: 'minmax(200px, 3fr)',
      wraps: true,
      cell: ({ cause }) => {
        if (cause === undefined) return '–';
        return (
          <PageLink page="investigation" id={cause.investigationId} title={visibleText(cause.title)}>
            {cause.confidence !== null && `(${cause.confidence}) `}
            {visibleText(cause.title)}
          </PageLink>
        );
      },
    },
  ];
}

/** An alert on two lines, for phones. */
export function NarrowAlert({ line: { alert, isNew } }: { line: AlertLine }) {
  return (
    <PageLink page="alert" id={alert.id} className={styles['narrow'] ?? ''}>
      <span className={styles['narrowFirst']}>
        <AlertStatus alert={alert} />
        {isNew && <span className={styles['new']}>new</span>}
        {alert.acknowledged_by !== null && (
          <span className={styles['narrowBy']} title={visibleText(alert.acknowledged_by.name)}>
            acknowledged by {visibleText(alert.acknowledged_by.name)}
          </span>
        )}
        <span className={styles['narrowSince']}>
          <Lasted alert={alert} />
        </span>
      </span>
      <span className={styles['narrowSecond']} title={visibleText(alert.summary)}>
        {visibleText(alert.summary)}
      </span>
    </PageLink>
  );
}

function AlertStatus({ alert: { severity, state, silenced_by } }: { alert: Alert }) {
  return (
    <Status status={state === 'resolved' ? 'healthy' : severity}>
      {state === 'resolved' ? `resolved, was ${statusWord(severity)}` : statusWord(severity)}
      {state !== 'firing' && state !== 'resolved' && `, ${state}`}
      {silenced_by !== null && ', silenced'}
    </Status>
  );
}

/** What is wrong, for a place beside the name of the host; assistive technology gets the name, too. */
function Sentence({ alert }: { alert: Alert }) {
  const [host, rest] = sentenceParts(alert);
  return (
    <PageLink page="alert" id={alert.id} title={visibleText(alert.summary)}>
      <span className="visually-hidden">{host}</span>
      {rest}
    </PageLink>
  );
}

/** How long an alert has been firing, or how long it lasted and when it ended. */
function Lasted({ alert: { fired_at, resolved_at } }: { alert: Alert }) {
  if (resolved_at === null)
    return (
      <>
        for <Age at={fired_at} />
      </>
    );
  return (
    <>
      lasted {formatDuration(Date.parse(resolved_at) - Date.parse(fired_at))}
      <span className={styles['ended']}>
        ,{' '}
        <span className={styles['endedAt']}>
          ended <Ago at={resolved_at} />
        </span>
      </span>
    </>
  );
}

function notifiedWord(notifications: Alert['notifications']): string {
  if (notifications.length === 0) return '–';
  const failed = notifications.filter(({ status }) => status === 'failed').length;
  if (failed > 0) return `${failed} failed`;
  const delivered = notifications.filter(({ status }) => status === 'delivered').length;
  return delivered > 0 ? `${delivered} delivered` : 'not sent';
}
