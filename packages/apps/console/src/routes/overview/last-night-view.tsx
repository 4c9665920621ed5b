import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { formatClock } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { PageLink } from '../page-link.tsx';
import { HoursOfNight } from './hours-of-night.tsx';
import { hourlyCounts, lastNight } from './last-night.ts';
import styles from './overview-page.module.css';

/** What happened while nobody looked: 18:00 to 08:30. It is read once `isReady`, after what is wrong now. */
export function useLastNight(isReady: boolean) {
  const { zone } = usePreferences();
  const [now] = useState(serverNow);
  const night = lastNight(now, zone);
  const [from, to] = [new Date(night.from).toISOString(), new Date(night.to).toISOString()];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['alert-counts', { from, to }],
    queryFn: ({ signal }) =>
      api.get('/api/v1/alerts/counts', {
        params: { query: { from, to, step: '1h', group_by: 'rule_id', top: 1 } },
        signal,
      }),
    staleTime: 60_000,
    enabled: isReady,
  });
  return { zone, night, from, to, data, error, isPending, refetch };
}

/** The alerts of last night by hour, and the rule with the most of them. */
export function LastNight({ night: read }: { night: ReturnType<typeof useLastNight> }) {
  const { zone, night, from, to, data, error, refetch } = read;
  const clock = (at: number) => formatClock(at, zone).slice(0, 5);
  return (
    <section aria-labelledby="night" className={styles['section']}>
      <h2 id="night">
        {night.name}, {clock(night.from)} to {clock(night.to)}
      </h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={3} />}
      {data !== undefined && (
        <>
          <p>
            <PageLink page="alerts" search={{ status: 'all', from, to }}>
              {counted(data.total.alerts, 'alert')}
            </PageLink>
            {data.total.alerts > 0 && `, ${formatCount(data.total.recovered)} resolved by themselves`}
          </p>
          {data.total.alerts > 0 && (
            <HoursOfNight counts={hourlyCounts(night, data.total.points)} zone={zone} />
          )}
          {data.groups.map(({ key, name, alerts, services }) => (
            <p key={key}>
              most:{' '}
              <PageLink page="alerts" search={{ status: 'all', rule_id: key, from, to }}>
                {visibleText(name)}
              </PageLink>
              , {formatCount(alerts)} on {counted(services, 'host')}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
