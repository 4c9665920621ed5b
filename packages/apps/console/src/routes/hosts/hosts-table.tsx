import { memo, useCallback, useMemo, useState } from 'react';
import { Value } from '../../components/number/number.tsx';
import { formatCount } from '../../components/number/number-format.ts';
import { Status } from '../../components/status/status.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { FLEET_METRICS, type FleetMetric, type HostColumns, statusOf, tagOf } from '../../fleet/fleet.ts';
import { countOf } from '../../fleet/host-text.ts';
import { PageLink } from '../page-link.tsx';
import { useSetPageSearch } from '../page-state.ts';
import styles from './hosts-page.module.css';
import { columnsOf, DEFAULT_ORDER, type HostsSearch, orderOf } from './hosts-state.ts';
import { COLUMN_WORDS } from './hosts-texts.ts';
import { NarrowHost } from './narrow-host.tsx';
import { Sparkline } from './sparkline.tsx';
import { useSparklines } from './use-sparklines.ts';

interface HostsTableProps {
  hosts: HostColumns;
  /** What the page shows. */
  search: HostsSearch;
  rows: readonly number[];
  selected: ReadonlySet<string>;
  current: string | undefined;
  onCurrent: (id: string) => void;
  onSelect: (ids: readonly string[]) => void;
  onOpen: (id: string) => void;
}

/** Orders in which the greatest comes first at the first click. */
const DESCENDING_FIRST = new Set<string>([...FLEET_METRICS, 'alerts', 'last_seen', 'status_since']);

/** All hosts as a table, sorted in the browser. */
export const HostsTable = memo(function HostsTable(props: HostsTableProps) {
  const { hosts, search, rows, selected, current, onCurrent, onSelect, onOpen } = props;
  const setSearch = useSetPageSearch('hosts');
  const chosen = columnsOf(search);
  const [visible, setVisible] = useState<readonly string[]>([]);
  const metrics = useMemo(() => FLEET_METRICS.filter((metric) => chosen.includes(metric)), [chosen]);
  const sparklines = useSparklines(visible, metrics);
  const onVisible = useCallback(
    (first: number, last: number) =>
      setVisible(rows.slice(first, last + 1).map((row) => hosts.names[row] as string)),
    [rows, hosts],
  );
  const order = orderOf(search);
  const columns = useMemo(() => {
    const sorting = (name: string) => ({
      sorted:
        order === name ? ('ascending' as const) : order === `-${name}` ? ('descending' as const) : undefined,
      onSort: () => {
        const first = DESCENDING_FIRST.has(name) ? `-${name}` : name;
        const second = DESCENDING_FIRST.has(name) ? name : `-${name}`;
        const next = order === first ? second : first;
        void setSearch({ sort: next === DEFAULT_ORDER ? undefined : next });
      },
    });
    const cells = [selectColumn(hosts, onSelect), nameColumn(hosts)];
    for (const id of chosen) cells.push(...columnOf(id, hosts, sparklines));
    return cells.map((column) => (column.id === 'select' ? column : { ...column, ...sorting(column.id) }));
  }, [hosts, chosen, order, sparklines, onSelect, setSearch]);
  const narrow = useCallback(
    (row: number, isSelected: boolean) => (
      <NarrowHost hosts={hosts} row={row} isSelected={isSelected} onSelect={onSelect} />
    ),
    [hosts, onSelect],
  );
  return (
    <Table
      name="Hosts"
      columns={columns}
      rows={rows}
      keyOf={(row) => hosts.ids[row] as string}
      isSelected={(row) => selected.has(hosts.ids[row] as string)}
      startAt={current === undefined ? undefined : rows.findIndex((row) => hosts.ids[row] === current)}
      onCurrent={(row) => onCurrent(hosts.ids[row] as string)}
      onVisible={onVisible}
      onOpen={(row) => onOpen(hosts.ids[row] as string)}
      keepsColumns
      narrow={narrow}
      keys={['x']}
      onKey={(key, row) => {
        if (key === 'x' || key === ' ') onSelect([hosts.ids[row] as string]);
        return key === 'x' || key === ' ';
      }}
    />
  );
});

function selectColumn(hosts: HostColumns, onSelect: HostsTableProps['onSelect']): Column<number> {
  return {
    id: 'select',
    heading: <span className="visually-hidden">Selected</span>,
    width: '24px',
    cell: (row, isSelected) => (
      <input
        type="checkbox"
        tabIndex={-1}
        className={styles['check']}
        aria-label={`Select ${visibleText(hosts.names[row] as string)}`}
        checked={isSelected}
        onChange={() => onSelect([hosts.ids[row] as string])}
      />
    ),
  };
}

function nameColumn({ ids, names }: HostColumns): Column<number> {
  return {
    id: 'name',
    heading: 'Host',
    width: 'minmax(160px, 3fr)',
    cell: (row) => (
      <PageLink page="host" id={ids[row] as string} title={visibleText(names[row] as string)}>
        {visibleText(names[row] as string)}
      </PageLink>
    ),
  };
}

function columnOf(
  id: string,
  hosts: HostColumns,
  sparklines: ReturnType<typeof useSparklines>,
): Column<number>[] {
  const iso = (at: number) => new Date(at).toISOString();
  const heading = COLUMN_WORDS[id] ?? id.slice(4);
  switch (id) {
    case 'status':
      return [{ id, heading, width: '130px', cell: (row) => <Status status={statusOf(hosts, row)} /> }];
    case 'status_since':
      return [
        { id, heading, width: '90px', cell: (row) => <Age at={iso(hosts.statusSince[row] as number)} /> },
      ];
    case 'last_seen':
      return [{ id, heading, width: '90px', cell: (row) => <Age at={iso(hosts.lastSeen[row] as number)} /> }];
    case 'alerts':
      return [
        { id, heading, width: '80px', isNumber: true, cell: (row) => formatCount(countOf(hosts, row)) },
      ];
    case 'cpu_percent':
    case 'memory_percent':
    case 'disk_percent':
      return [
        {
          id,
          heading,
          width: '136px',
          isNumber: true,
          cell: (row) => metricCell(id, row, hosts, sparklines),
        },
      ];
    default:
      if (!id.startsWith('tag.')) return [];
      return [
        {
          id,
          heading,
          width: 'minmax(90px, 1fr)',
          cell: (row) => <TagValue value={tagOf(hosts, id.slice(4), row)} />,
        },
      ];
  }
}

function metricCell(
  metric: FleetMetric,
  row: number,
  hosts: HostColumns,
  sparklines: ReturnType<typeof useSparklines>,
) {
  const value = hosts.metrics[metric][row] as number;
  return (
    <span className={styles['metric']}>
      <Sparkline series={sparklines.get(`${metric} ${hosts.names[row]}`)} />
      <Value value={Number.isNaN(value) ? null : value} unit="percent" />
    </span>
  );
}

function TagValue({ value }: { value: string | null }) {
  const text = value === null ? '–' : visibleText(value);
  return <span title={text}>{text}</span>;
}
