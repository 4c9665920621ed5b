import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Charts } from '../../chart/chart-group.tsx';
import { CompareChart } from '../../chart/compare-chart.tsx';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type Host, hostRead, intervalOf } from '../host/host-reads.ts';
import { groupMetrics } from '../host/metric-groups.ts';
import { usePinnedMetrics } from '../host/pinned-metrics.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './compare-page.module.css';
import { ComparedHosts } from './compared-hosts.tsx';
import { sharedMetrics } from './differences.ts';
import { MetricChoice } from './metric-choice.tsx';

const NO_IDS: readonly string[] = [];

/** Two to twelve hosts side by side: what differs, and one chart for each metric with a line for each host. */
export function ComparePage() {
  const { id: ids = NO_IDS } = usePageSearch('compare');
  const unique = [...new Set(ids)];
  const reads = useQueries({ queries: unique.map((id) => hostRead(id)) });
  const hosts = reads.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const failed = reads.filter(({ error, data }) => error !== null && data === undefined);
  const isLoading = reads.some(({ data, error }) => data === undefined && error === null);
  return (
    <>
      <PageHeader title={unique.length < 2 ? 'Compare hosts' : `Compare ${unique.length} hosts`} />
      {unique.length < 2 && (
        <Empty
          action={
            <PageLink page="hosts" search={{ view: 'table' }}>
              Open the table of hosts
            </PageLink>
          }
        >
          A comparison draws the same metric of 2 to 12 hosts in one chart. Open the table of hosts, tick the
          hosts, and choose “Compare”.
        </Empty>
      )}
      {failed.map(({ error, refetch }, index) => (
        // Problems have no other identity than their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Problem key={index} error={error} retry={() => void refetch()} />
      ))}
      {isLoading ? <Skeleton lines={6} height={32} /> : hosts.length > 1 && <Comparison hosts={hosts} />}
    </>
  );
}

function Comparison({ hosts }: { hosts: readonly Host[] }) {
  const { from, to, metrics: chosen } = usePageSearch('compare');
  const setSearch = useSetPageSearch('compare');
  const pinned = usePinnedMetrics();
  const [filter, setFilter] = useState('');
  const shared = sharedMetrics(hosts);
  const shown = chosen === undefined ? shared : shared.filter((metric) => chosen.includes(metric));
  const groups = groupMetrics(shown, pinned, filter);
  // The hosts are read again each interval; charts need no more of them than this.
  const text = JSON.stringify(
    hosts.map((host) => ({ id: host.id, name: visibleText(host.name), intervalMs: intervalOf(host) })),
  );
  const compared = useMemo(() => JSON.parse(text), [text]);
  return (
    <Charts from={from} to={to} onRange={(range) => void setSearch(range)}>
      <ComparedHosts hosts={hosts} />
      <RangeBar onRange={(range) => void setSearch({ from: range.from, to: range.to })} />
      <div className={styles['filter']}>
        <input
          type="search"
          aria-label="Filter metrics"
          placeholder="Filter metrics"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <MetricChoice shared={shared} chosen={chosen} onChange={(metrics) => void setSearch({ metrics })} />
      </div>
      {groups.length === 0 && <Empty>No metric of at least two of these hosts matches.</Empty>}
      {groups.map(({ name, metrics }) => (
        <section key={name} aria-label={name}>
          <h2 className={styles['group']}>{name}</h2>
          <div className={styles['charts']}>
            {metrics.map((metric) => (
              <CompareChart key={metric} metric={metric} hosts={compared} />
            ))}
          </div>
        </section>
      ))}
    </Charts>
  );
}
