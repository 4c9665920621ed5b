import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { PeerTag } from '../../chart/data/use-peers.ts';
import { thresholdsOf, useHostRules } from '../../chart/data/use-rules.ts';
import type { LaneEntry } from '../../chart/lanes/lanes.ts';
import type { ChartThreshold } from '../../chart/lanes/thresholds.ts';
import { useLaneEntries } from '../../chart/lanes/use-lane-entries.ts';
import { MetricChart } from '../../chart/metric-chart.tsx';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/select.tsx';
import { usePhone } from '../../components/use-phone.ts';
import { visibleText } from '../../components/visible-text.ts';
import { Maximize2, Minimize2, Pin } from '../../icons/lucide.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import { type Host, intervalOf } from './host-reads.ts';
import { noSeriesText, seriesName } from './host-texts.ts';
import { groupMetrics } from './metric-groups.ts';
import { togglePinned, usePinnedMetrics } from './pinned-metrics.ts';

const ENLARGED_PX = 320;

/** The charts of a host by groups, pinned ones first. The metric of the URL stands on top, enlarged. */
export function MetricsTab({ host }: { host: Host }) {
  const { metric: given, subject = 'host', peers } = usePageSearch('host');
  const metric = given === undefined ? undefined : seriesName(given, subject);
  const setSearch = useSetPageSearch('host');
  const pinned = usePinnedMetrics();
  const [filter, setFilter] = useState('');
  const isPhone = usePhone();
  const [isFilterOpen, setFilterOpen] = useState(false);
  // On a phone the first chart stands near the top, unless somebody filters.
  const hasFilter = !isPhone || isFilterOpen || filter !== '' || peers !== undefined;
  const rules = useHostRules(host.id, host.name);
  const { entries } = useLaneEntries({ serviceId: host.id, host: host.name, tags: host.tags });
  const names = useMemo(() => Object.keys(host.metrics), [host.metrics]);
  const groups = groupMetrics(names, pinned, filter);
  const peerValue = peers === undefined ? undefined : host.tags[peers];
  const peerTag = useMemo(
    () => (peers === undefined || peerValue === undefined ? undefined : { tag: peers, value: peerValue }),
    [peers, peerValue],
  );
  const shared = { serviceId: host.id, host: host.name, intervalMs: intervalOf(host), peers: peerTag };
  const thresholds = useMemo(
    () => new Map(names.map((name) => [name, thresholdsOf(rules.data ?? [], name)])),
    [names, rules.data],
  );
  return (
    <>
      <RangeBar onRange={({ from, to }) => void setSearch({ from, to })}>
        {isPhone && (
          <Button aria-expanded={hasFilter} onClick={() => setFilterOpen(!isFilterOpen)}>
            Filter metrics
          </Button>
        )}
      </RangeBar>
      {metric !== undefined && given !== undefined && (
        <Enlarged
          key={`${metric} ${subject}`}
          {...shared}
          metric={metric}
          subject={subject}
          entries={entries}
          thresholds={thresholdsOf(rules.data ?? [], given)}
          onClose={() => void setSearch({ metric: undefined, subject: undefined })}
        />
      )}
      {hasFilter && (
        <div className={styles['filter']}>
          <input
            aria-label="Filter metrics"
            type="search"
            placeholder="Filter metrics"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
          <span>
            {groups.reduce((sum, { metrics }) => sum + metrics.length, 0)} of {names.length}
          </span>
          <span className={styles['peers']}>
            <FilterSelect
              label="Peers"
              value={peers}
              options={[
                ['', 'none'],
                ...Object.entries(host.tags).map(
                  ([name, value]) => [name, visibleText(`${name}=${value}`)] as const,
                ),
              ]}
              onChange={(value) => setSearch({ peers: value })}
            />
          </span>
        </div>
      )}
      {groups.length === 0 && (
        <Empty>{filter === '' ? 'This host has sent no metrics.' : `No metric contains “${filter}”.`}</Empty>
      )}
      <div className={styles['charts']}>
        {groups.map(({ name, metrics }) => (
          <section key={name} aria-label={name} className={styles['section']}>
            {metrics.map((each, index) => (
              <div key={each} className={styles['small']}>
                {index === 0 && <h2 className={styles['group']}>{name}</h2>}
                <SmallChart
                  {...shared}
                  metric={each}
                  thresholds={thresholds.get(each) ?? NO_THRESHOLDS}
                  entries={entries}
                  isPinned={pinned.includes(each)}
                  onEnlarge={setSearch}
                />
              </div>
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

const NO_THRESHOLDS: readonly ChartThreshold[] = [];

interface ChartProps {
  serviceId: string;
  host: string;
  intervalMs: number | null;
  metric: string;
  peers: PeerTag | undefined;
  thresholds: readonly ChartThreshold[];
  entries: readonly LaneEntry[];
}

interface SmallChartProps extends ChartProps {
  isPinned: boolean;
  onEnlarge: (search: { metric: string; subject?: undefined }) => unknown;
}

/** One chart among many: the lane has what is about its metric alone. */
const SmallChart = memo(function SmallChart({ entries, isPinned, onEnlarge, ...chart }: SmallChartProps) {
  const { metric } = chart;
  const lanes = useMemo(() => entries.filter((entry) => entry.metric === metric), [entries, metric]);
  return (
    <MetricChart
      {...chart}
      lanes={lanes}
      actions={
        <>
          <button
            type="button"
            className={styles['icon']}
            aria-label={`Pin ${metric}`}
            aria-pressed={isPinned}
            onClick={() => togglePinned(metric)}
          >
            <Pin size={14} aria-hidden="true" />
          </button>
          <button
            type="button"
            className={styles['icon']}
            aria-label={`Enlarge ${metric}`}
            onClick={() => onEnlarge({ metric, subject: undefined })}
          >
            <Maximize2 size={14} aria-hidden="true" />
          </button>
        </>
      }
    />
  );
});

interface EnlargedProps extends ChartProps {
  subject: string;
  onClose: () => void;
}

/** The chart that the URL names, with everything that happened. It is scrolled to when it appears. */
function Enlarged({ subject, entries, thresholds, metric, onClose, ...shared }: EnlargedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const missing = noSeriesText(metric, subject);
  const close = (
    <button type="button" className={styles['icon']} aria-label={`Make ${metric} small`} onClick={onClose}>
      <Minimize2 size={14} aria-hidden="true" />
    </button>
  );
  return (
    <div ref={place} className={styles['enlarged']}>
      {missing === undefined ? (
        <MetricChart
          {...shared}
          metric={metric}
          subject={subject}
          thresholds={thresholds}
          lanes={entries}
          level={2}
          height={ENLARGED_PX}
          actions={close}
        />
      ) : (
        <Empty action={close}>{missing}</Empty>
      )}
    </div>
  );
}
