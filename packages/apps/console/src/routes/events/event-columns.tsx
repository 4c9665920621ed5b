import type { Event } from '@tidewatch/api-client/events';
import { useMemo } from 'react';
import { StatusShape } from '../../components/status/status.tsx';
import type { Column } from '../../components/table/column.ts';
import { Clock } from '../../components/time/time.tsx';
import { usePreferences } from '../../preferences/preferences.ts';
import { PageLink } from '../page-link.tsx';
import { eventWords } from './event-words.ts';
import styles from './events.module.css';

/** The columns of the list of events. */
export function useEventColumns(fresh: Pick<ReadonlySet<string>, 'has'>): readonly Column<Event>[] {
  return useMemo(
    () => [
      { id: 'time', heading: 'Time', width: '80px', cell: ({ time }) => <Clock at={time} /> },
      {
        id: 'type',
        heading: 'Type',
        width: '190px',
        cell: ({ type }) => <code title={type}>{type}</code>,
      },
      {
        id: 'what',
        heading: 'What',
        width: 'minmax(240px, 1fr)',
        wraps: true,
        cell: (event) => (
          <>
            {fresh.has(event.id) && <span className={styles['new']}>new</span>}
            <What event={event} />
          </>
        ),
      },
    ],
    [fresh],
  );
}

/** An event on two lines, for phones. */
export function NarrowEvent({ event, isNew }: { event: Event; isNew: boolean }) {
  return (
    <div className={styles['narrow']}>
      <div className={styles['narrowFirst']}>
        <code>{event.type}</code>
        {isNew && <span className={styles['new']}>new</span>}
        <span className={styles['narrowTime']}>
          <Clock at={event.time} />
        </span>
      </div>
      <div className={styles['what']}>
        <What event={event} />
      </div>
    </div>
  );
}

function What({ event }: { event: Event }) {
  const { zone } = usePreferences();
  const { text, page, severity } = eventWords(event, zone);
  return (
    <>
      {severity !== null && (
        <>
          <StatusShape status={severity} />
          <span className="visually-hidden">{severity}</span>{' '}
        </>
      )}
      {page === null ? (
        <span title={text}>{text}</span>
      ) : (
        <PageLink page={page.name} id={page.id} title={text}>
          {text}
        </PageLink>
      )}
    </>
  );
}
