import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
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
import { columnsOf, DEFAULT_ORDER, type HostsSearch } from './hosts-state.ts';
import { COLUMN_WORDS } from './hosts-texts.ts';
import { NarrowHost } from './narrow-host.tsx';
import { HostSparkline, Sparklines } from './sparkline.tsx';
import { useSparklines } from './use-sparklines.ts';

interface HostsTableProps {
  hosts: HostColumns;
  /** What the page shows. */
  search: HostsSearch;
  /** The order that was chosen last, which the head shows before the rows have it. */
  order: string;
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
  const { hosts, search, order, rows, selected, current, onCurrent, onSelect, onOpen } = props;
  const setSearch = useSetPageSearch('hosts');
  const chosen = columnsOf(search);
  const [visible, setVisible] = useState<readonly string[]>([]);
  const metrics = useMemo(() => FLEET_METRICS.filter((metric) => chosen.includes(metric)), [chosen]);
  // A hundred lines are drawn in a rendering that gives way to the next input.
  const sparklines = useDeferredValue(useSparklines(visible, metrics));
  const onVisible = useCallback(
    (first: number, last: number) =>
      setVisible(rows.slice(first, last + 1).map((row) => hosts.names[row] as string)),
    [rows, hosts],
  );
  const columns = useMemo(
    () => [selectColumn(hosts, onSelect), nameColumn(hosts), ...chosen.flatMap((id) => columnOf(id, hosts))],
    [hosts, chosen, onSelect],
  );
  const sortingOf = (id: string) => {
    if (id === 'select') return {};
    const [first, second] = DESCENDING_FIRST.has(id) ? [`-${id}`, id] : [id, `-${id}`];
    const next = order === first ? second : first;
    return {
      ...(order === id && { sorted: 'ascending' as const }),
      ...(order === `-${id}` && { sorted: 'descending' as const }),
      onSort: () => void setSearch({ sort: next === DEFAULT_ORDER ? undefined : next }),
    };
  };
  const keyOf = useCallback((row: number) => hosts.ids[row] as string, [hosts.ids]);
  const narrow = useCallback(
    (row: number, isSelected: boolean) => (
      <NarrowHost hosts={hosts} row={row} isSelected={isSelected} onSelect={onSelect} />
    ),
    [hosts, onSelect],
  );
  return (
    <Sparklines value={sparklines}>
      <Table
        name="Hosts"
        columns={columns}
        sortingOf={sortingOf}
        rows={rows}
        keyOf={keyOf}
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
    </Sparklines>
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

function columnOf(id: string, hosts: HostColumns): Column<number>[] {
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
          cell: (row) => metricCell(id, row, hosts),
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

function metricCell(metric: FleetMetric, row: number, hosts: HostColumns) {
  const value = hosts.metrics[metric][row] as number;
  return (
    <span className={styles['metric']}>
      <HostSparkline name={`${metric} ${hosts.names[row]}`} />
      <Value value={Number.isNaN(value) ? null : value} unit="percent" />
    </span>
  );
}

function TagValue({ value }: { value: string | null }) {
  const text = value === null ? '–' : visibleText(value);
  return <span title={text}>{text}</span>;
}
