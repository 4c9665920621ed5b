import type { Event } from '@tidewatch/api-client/events';
import { EVENT_TYPES } from '@tidewatch/contracts/events/event-types';
import { Suspense, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatCount } from '../../components/number/number-format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Table } from '../../components/table/table.tsx';
import { clockSkewMs } from '../../components/time/clock.ts';
import { Clock } from '../../components/time/time.tsx';
import { useEventLog } from '../../live/event-log.ts';
import { useHeldRows } from '../../live/use-held-rows.ts';
import { lazyPart } from '../../upgrade/load-part.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { NarrowEvent, useEventColumns } from './event-columns.tsx';
import { eventFilter } from './event-filter.ts';
import { EventFilters } from './event-filters.tsx';
import styles from './events.module.css';

/** Few look at the event itself. */
const EventDialog = lazyPart(() => import('./event-dialog.tsx'), 'EventDialog');

const keyOf = ({ id }: Event) => id;
const NO_FILTER = { types: undefined, host: undefined, severity: undefined };

/** The events of the organization as they come, since this tab was opened. */
export function EventsPage() {
  const search = usePageSearch('events');
  const setSearch = useSetPageSearch('events');
  const { events, since, dropped } = useEventLog();
  const [opened, setOpened] = useState<Event | null>(null);
  const filter = JSON.stringify([search.types, search.host, search.severity]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the filter.
  const shownEvents = useMemo(() => events.filter(eventFilter(known(search))), [events, filter]);
  const { shown, waiting, hold, release, fresh } = useHeldRows(shownEvents, keyOf, `${filter} ${since}`);
  const columns = useEventColumns(fresh);
  const from = new Date(since - clockSkewMs()).toISOString();
  const isFiltered = filter !== JSON.stringify([undefined, undefined, undefined]);
  return (
    <>
      <PageHeader title="Events" actions={<PageLink page="markers">Markers</PageLink>} />
      <EventFilters />
      <div className={styles['bar']}>
        <span role="status">
          {isFiltered && `${formatCount(shownEvents.length)} of `}
          {formatCount(events.length)} {events.length === 1 ? 'event' : 'events'}
        </span>
        <span className={styles['muted']}>
          since <Clock at={from} />
          {dropped > 0 && `, without the oldest ${formatCount(dropped)}`}
        </span>
        {waiting > 0 && (
          <Button kind="primary" onClick={release}>
            {waiting} new
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        isFiltered && events.length > 0 ? (
          <Empty action={<Button onClick={() => void setSearch(NO_FILTER)}>Clear filters</Button>}>
            No event matches these filters.
          </Empty>
        ) : (
          <Empty
            action={
              <PageLink page="alerts" search={{ status: 'all' }}>
                Open past alerts
              </PageLink>
            }
          >
            Nothing has happened since this tab was opened. Each change of alerts, hosts and rules appears
            here as it happens; what happened before is among the alerts and the investigations.
          </Empty>
        )
      ) : (
        <Table
          name="Events"
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          narrow={(event) => <NarrowEvent event={event} isNew={fresh.has(event.id)} />}
          onOpen={setOpened}
          onHold={hold}
        />
      )}
      {opened !== null && (
        <Suspense>
          <EventDialog event={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}

/** The filter without types that do not exist: they match nothing, and the API refuses them. */
function known({ types, ...rest }: ReturnType<typeof usePageSearch<'events'>>) {
  const listed = types?.filter((type) => (EVENT_TYPES as readonly string[]).includes(type));
  return { ...rest, types: listed?.length === 0 ? undefined : listed };
}
