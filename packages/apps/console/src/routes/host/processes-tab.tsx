import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { useChartGroup, useCursor } from '../../chart/chart-group.tsx';
import { MetricChart } from '../../chart/metric-chart.tsx';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Value } from '../../components/number/number.tsx';
import { formatValue } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import { type Host, intervalOf } from './host-reads.ts';
import { type ProcessRow, processRows } from './process-rows.ts';

/** Snapshots are kept so long. */
const KEPT_MS = 2 * DAY_MS;
/** The cursor rests before the processes of its time are read. */
const REST_MS = 200;

/** The processes of a host at the time that the cursor was moved to last, with the change since an hour before. */
export function ProcessesTab({ host }: { host: Host }) {
  const setSearch = useSetPageSearch('host');
  const [at, setAt] = useState<number | null>(null);
  const { data, error, refetch } = useSnapshots(host, at);
  const rows = useMemo(
    () => (data === undefined ? [] : processRows(data.current.processes.list, data.former.processes.list)),
    [data],
  );
  const time = data?.current.processes.time;
  return (
    <>
      <RangeBar onRange={({ from, to }) => void setSearch({ from, to })} />
      <RestingCursor onRest={setAt} />
      {host.metrics['cpu_percent'] !== undefined && (
        <div className={styles['enlarged']}>
          <MetricChart
            serviceId={host.id}
            host={host.name}
            metric="cpu_percent"
            intervalMs={intervalOf(host)}
            level={2}
            height={140}
          />
        </div>
      )}
      <p className={styles['snapshot']}>
        {time != null ? (
          <span>
            Processes at <Time at={time} />
          </span>
        ) : (
          <span>
            {at === null ? 'Processes now' : 'No processes are kept of that time: snapshots last 48 hours.'}
          </span>
        )}
        {at !== null && <Button onClick={() => setAt(null)}>Show now</Button>}
        {at === null && (
          <span className={styles['hint']}>
            Point at the chart, or move along it with the arrow keys, to see an earlier time. New: not among
            the processes an hour before.
          </span>
        )}
      </p>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={5} height={32} />}
      {data !== undefined && rows.length === 0 && time != null && <Empty>No process was reported.</Empty>}
      {data !== undefined && rows.length === 0 && time == null && (
        <Empty>This host has sent no processes. Its agent may leave them out.</Empty>
      )}
      {rows.length > 0 && (
        <Table
          name="Processes"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name }) => name}
          narrow={(row) => <NarrowProcess row={row} />}
        />
      )}
    </>
  );
}

/** Reports where the common cursor rests, and keeps silent when it leaves. */
function RestingCursor({ onRest }: { onRest: (at: number) => void }) {
  const at = useCursor();
  useEffect(() => {
    if (at === null) return;
    const timer = setTimeout(() => onRest(at), REST_MS);
    return () => clearTimeout(timer);
  }, [at, onRest]);
  return null;
}

function useSnapshots(host: Host, at: number | null) {
  const { now } = useChartGroup();
  const isKept = at === null || now - at < KEPT_MS;
  return useQuery({
    queryKey: ['service-snapshots', host.id, at ?? host.last_seen],
    enabled: isKept,
    queryFn: async () => {
      const time = at ?? Date.parse(host.last_seen) + 1;
      const [current, former] = await Promise.all([
        readSnapshot(host.id, time),
        readSnapshot(host.id, time - HOUR_MS),
      ]);
      return { current, former };
    },
  });
}

async function readSnapshot(id: string, at: number): Promise<Schema<'ServiceSnapshot'>> {
  const params = { path: { id }, query: { at: new Date(at).toISOString() } };
  return (await api.get('/api/v1/services/{id}/snapshots', { params })) as Schema<'ServiceSnapshot'>;
}

/** "12 % (+3 %)": a value and its change; "new" where there was none before. */
function Changed(props: { value: number | null; former: number | null; unit: 'percent' | 'bytes' }) {
  const { value, former, unit } = props;
  if (value === null) return <Value value={value} unit={unit} />;
  const change = former === null ? null : value - former;
  const text =
    change === null
      ? 'new'
      : change === 0
        ? ''
        : `${change < 0 ? '−' : '+'}${formatValue(Math.abs(change), unit)}`;
  return (
    <>
      <Value value={value} unit={unit} /> <span className={styles['change']}>{text}</span>
    </>
  );
}

/** Process ids in the room of a cell: the first, and how many more there are. */
const pidText = ([first, ...more]: readonly number[]) =>
  more.length === 0 ? String(first) : `${first} and ${more.length} more`;

/** Processes of one name on a phone: the name, then what they use. */
function NarrowProcess({ row }: { row: ProcessRow }) {
  return (
    <div>
      <b>{visibleText(row.name)}</b>
      {row.pids.length > 1 && ` (${row.pids.length})`}
      <div>
        <Changed value={row.cpuPercent} former={row.formerCpuPercent} unit="percent" /> ·{' '}
        <Changed value={row.memoryBytes} former={row.formerMemoryBytes} unit="bytes" /> · PID{' '}
        {pidText(row.pids)}
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<ProcessRow>[] = [
  {
    id: 'name',
    heading: 'Process',
    width: 'minmax(120px, 2fr)',
    cell: ({ name, pids }) => (
      <span title={visibleText(name)}>
        {visibleText(name)}
        {pids.length > 1 && ` (${pids.length})`}
      </span>
    ),
  },
  {
    id: 'pid',
    heading: 'PID',
    width: 'minmax(90px, 1fr)',
    isNumber: true,
    cell: ({ pids }) => <span title={pids.join(', ')}>{pidText(pids)}</span>,
  },
  {
    id: 'cpu',
    heading: 'CPU',
    width: 'minmax(120px, 1fr)',
    isNumber: true,
    cell: ({ cpuPercent, formerCpuPercent }) => (
      <Changed value={cpuPercent} former={formerCpuPercent} unit="percent" />
    ),
  },
  {
    id: 'memory',
    heading: 'Memory',
    width: 'minmax(140px, 1fr)',
    isNumber: true,
    cell: ({ memoryBytes, formerMemoryBytes }) => (
      <Changed value={memoryBytes} former={formerMemoryBytes} unit="bytes" />
    ),
  },
];
