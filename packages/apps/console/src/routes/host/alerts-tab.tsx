import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { api } from '../../api/client.ts';
import { Empty } from '../../components/empty.tsx';
import { formatDuration } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age, Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { sentenceParts } from '../alerts/alert-words.ts';
import { PageLink } from '../page-link.tsx';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';

type Alert = Schema<'Alert'>;

const PAGE = 50;

/** The alerts of a host, the newest first, also those that have ended. */
export function AlertsTab({ host }: { host: Host }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['related-alerts', 'host', host.id],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const query = {
        service_id: host.id,
        status: 'all',
        limit: PAGE,
        ...(pageParam && { cursor: pageParam }),
      } as const;
      return (await api.get('/api/v1/alerts', { params: { query } })) as Schema<'AlertsPage'>;
    },
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  if (data === undefined)
    return error ? (
      <Problem error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton lines={5} height={32} />
    );
  const alerts = data.pages.flatMap((page) => page.alerts);
  if (alerts.length === 0) return <Empty>No alert of this host is kept.</Empty>;
  return (
    <Table
      name="Alerts"
      columns={COLUMNS}
      rows={alerts}
      keyOf={({ id }) => id}
      narrow={(alert) => <NarrowAlert alert={alert} />}
      total={data.pages[0]?.pagination.total ?? alerts.length}
      onEnd={() => {
        if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
      }}
    />
  );
}

/** An alert on a phone: severity, state and age, then its sentence. */
function NarrowAlert({ alert }: { alert: Alert }) {
  const { id, severity, state, summary, fired_at: at } = alert;
  return (
    <div className={styles['narrow']}>
      <Status status={severity} /> {state}, fired <Ago at={at} />
      <div className={styles['line']}>
        <PageLink page="alert" id={id} title={visibleText(summary)}>
          {sentenceParts(alert)[1]}
        </PageLink>
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<Alert>[] = [
  {
    id: 'severity',
    heading: 'Severity',
    width: '100px',
    cell: ({ severity }) => <Status status={severity} />,
  },
  { id: 'state', heading: 'State', width: '100px', cell: ({ state }) => state },
  {
    id: 'summary',
    heading: 'Alert',
    width: 'minmax(240px, 3fr)',
    wraps: true,
    cell: (alert) => (
      <PageLink page="alert" id={alert.id} title={visibleText(alert.summary)}>
        {sentenceParts(alert)[1]}
      </PageLink>
    ),
  },
  {
    id: 'rule',
    heading: 'Rule',
    width: 'minmax(120px, 1fr)',
    wraps: true,
    cell: ({ rule_name: name }) => <span title={visibleText(name)}>{visibleText(name)}</span>,
  },
  { id: 'fired', heading: 'Fired', width: '96px', cell: ({ fired_at: at }) => <Ago at={at} /> },
  {
    id: 'duration',
    heading: 'Lasted',
    width: '100px',
    isNumber: true,
    cell: (alert) => <Lasted alert={alert} />,
  },
];

function Lasted({ alert: { fired_at: from, resolved_at: to } }: { alert: Alert }) {
  return to === null ? (
    <>
      for <Age at={from} />
    </>
  ) : (
    formatDuration(Date.parse(to) - Date.parse(from))
  );
}
