import { memo } from 'react';
import { formatCount } from '../../components/number/number-format.ts';
import { StatusShape } from '../../components/status/status.tsx';
import { useServerNow } from '../../components/time/clock.ts';
import { visibleText } from '../../components/visible-text.ts';
import { type HostColumns, statusCode, statusOf } from '../../fleet/fleet.ts';
import { reasonOf } from '../../fleet/host-text.ts';
import { sortRows } from '../../fleet/sort.ts';
import { PageLink } from '../page-link.tsx';
import styles from './hosts-page.module.css';
import type { HostsSearch } from './hosts-state.ts';

const MAX_LISTED = 20;
const MAINTENANCE = statusCode('maintenance');

interface UnhealthyHostsProps {
  hosts: HostColumns;
  rows: readonly number[];
  /** What the page shows, which the link to all of them keeps. */
  search: HostsSearch;
}

/** Hosts that need attention as text, worst first: those in maintenance are silenced on purpose. */
export const UnhealthyHosts = memo(function UnhealthyHosts(props: UnhealthyHostsProps) {
  const { hosts, rows, search } = props;
  const now = useServerNow(10_000);
  const unhealthy = rows.filter((row) => (hosts.status[row] as number) < MAINTENANCE);
  if (unhealthy.length === 0) return null;
  const listed = sortRows(hosts, unhealthy, 'status').slice(0, MAX_LISTED);
  const more = unhealthy.length - listed.length;
  return (
    <section className={styles['unhealthy']} aria-label="Unhealthy hosts">
      <ul>
        {listed.map((row) => (
          <li key={hosts.ids[row]}>
            <StatusShape status={statusOf(hosts, row)} />
            <PageLink page="host" id={hosts.ids[row] as string}>
              {visibleText(hosts.names[row] as string)}
            </PageLink>
            <span className={styles['reason']}>
              <span className="visually-hidden">{statusOf(hosts, row)} </span>
              {reasonOf(hosts, row, now)}
            </span>
          </li>
        ))}
        {more > 0 && (
          <li>
            <PageLink page="hosts" search={{ ...search, view: 'table', sort: 'status' }}>
              {formatCount(more)} more
            </PageLink>
          </li>
        )}
      </ul>
    </section>
  );
});
