import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '@tidewatch/contracts/notifications/notification';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatCount } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { problemText } from '../../components/problem-text.ts';
import { FilterSelect } from '../../components/select.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { StatusShape } from '../../components/status/status.tsx';
import { Time } from '../../components/time/time.tsx';
import toolbar from '../../components/toolbar.module.css';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { notificationWord } from '../alerts/alert-words.ts';
import { investigationsByAlert } from '../alerts/likely-cause.ts';
import { recentInvestigationsRead } from '../investigations/investigation-reads.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { SettingsHeader } from '../settings/settings-header.tsx';
import styles from './notifications.module.css';

const STATUSES = ['queued', 'delivered', 'failed', 'suppressed', 'not_configured'] as const;
type Status = (typeof STATUSES)[number];

const TRANSITION_WORDS: Readonly<Record<Notification['transition'], string>> = {
  fired: 'Fired',
  escalated: 'Escalated',
  resolved: 'Resolved',
  renotified: 'Repeated',
  flapping: 'Flapping',
  silence_ended: 'Silence ended',
  digest: 'Digest',
  event: 'Event',
};

/** What was sent to channels, what was not, and why. */
export function NotificationsPage() {
  const { status, alert_id } = usePageSearch('notifications');
  const setSearch = useSetPageSearch('notifications');
  const known = STATUSES.find((each) => each === status);
  const { data, error, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['notifications', known ?? null, alert_id ?? null],
      queryFn: ({ pageParam, signal }) => readPage(known, alert_id, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ pagination }) => pagination.next_cursor ?? null,
      refetchInterval: 15_000,
    });
  const { data: recent } = useQuery(recentInvestigationsRead());
  const investigations = useMemo(() => investigationsByAlert(recent?.investigations ?? []), [recent]);
  const all = data?.pages.flatMap(({ notifications }) => notifications as Notification[]) ?? [];
  const total = data?.pages[0]?.pagination.total ?? 0;
  return (
    <>
      <SettingsHeader section="notifications" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <div className={toolbar['toolbar']}>
        <FilterSelect
          label="Status"
          value={known}
          options={[['', 'any'], ...STATUSES.map((each) => [each, each.replace('_', ' ')] as const)]}
          onChange={(value) => setSearch({ status: value })}
        />
        {alert_id && (
          <Button onClick={() => void setSearch({ alert_id: undefined })}>Of one alert: show all</Button>
        )}
        {data && (
          <strong role="status">
            {formatCount(total)} {total === 1 ? 'notification' : 'notifications'}
          </strong>
        )}
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={32} />
      ) : all.length === 0 ? (
        <Empty>{known || alert_id ? 'No notification matches.' : 'Nothing has been notified yet.'}</Empty>
      ) : (
        <ul className={styles['list']} aria-label="Notifications">
          {all.map((notification) => (
            <Line
              key={notification.id}
              notification={notification}
              investigationId={notification.alert_ids
                .map((id) => investigations.get(id))
                .find((id) => id !== undefined)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} busy="Loading …" onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </>
  );
}

function Line(props: { notification: Notification; investigationId: string | undefined }) {
  const { notification, investigationId } = props;
  const client = useQueryClient();
  const { id, channel, status, attempts, created_at, sent_at } = notification;
  const send = useMutation({
    mutationFn: () => api.post('/api/v1/notifications/{id}/redeliver', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  });
  return (
    <li data-status={status}>
      <span className={styles['mark']} aria-hidden="true">
        {status === 'delivered' ? '✓' : status === 'failed' ? '✕' : '–'}
      </span>
      <span className={styles['text']}>
        <About notification={notification} />
        <span className={styles['outcome']}>
          {channel.id === null ? (
            `default of ${channel.kind}`
          ) : (
            <PageLink page="channel" id={channel.id}>
              {visibleText(channel.name ?? channel.kind)}
            </PageLink>
          )}{' '}
          ({channel.kind}): {notificationWord(notification)}
          {attempts > 1 && `, ${attempts} attempts`}
          {investigationId !== undefined && (
            <>
              {' · '}
              <PageLink page="investigation" id={investigationId}>
                investigation
              </PageLink>
            </>
          )}
        </span>
      </span>
      <span className={styles['time']}>
        <Time at={sent_at ?? created_at} />
      </span>
      {(status === 'failed' || status === 'queued') && (
        <ScopedButton isBusy={send.isPending} busy="Sending …" onClick={() => send.mutate()}>
          Send again
        </ScopedButton>
      )}
      {send.error && <span role="alert">{problemText(send.error).detail}</span>}
    </li>
  );
}

/** What it is about: the transition with the alert's sentence, and how many other alerts there are. */
function About({ notification: { transition, alert_ids, alerts } }: { notification: Notification }) {
  const [id] = alert_ids;
  const [named] = alerts;
  const more = alert_ids.length - 1;
  const sentence = named === undefined ? null : visibleText(named.summary);
  return (
    <span>
      {named !== undefined && (
        <>
          <StatusShape status={named.severity} /> <span className="visually-hidden">{named.severity}</span>
        </>
      )}
      <b>{TRANSITION_WORDS[transition]}</b>
      {id !== undefined && (
        <>
          {' · '}
          <PageLink page="alert" id={named?.id ?? id} title={named && visibleText(named.rule_name)}>
            {sentence ?? 'an alert that is no longer kept'}
          </PageLink>
        </>
      )}
      {more > 0 && ` and ${formatCount(more)} more ${more === 1 ? 'alert' : 'alerts'}`}
    </span>
  );
}

async function readPage(
  status: Status | undefined,
  alertId: string | undefined,
  cursor: string | null,
  signal: AbortSignal,
) {
  const query = {
    limit: 50,
    ...(status && { status }),
    ...(alertId && { alert_id: alertId }),
    ...(cursor !== null && { cursor }),
  };
  return await api.get('/api/v1/notifications', { params: { query }, signal });
}
