import { useChartGroup } from '../../chart/chart-group.tsx';
import type { LaneEntry } from '../../chart/lanes/lanes.ts';
import { useLaneEntries } from '../../chart/lanes/use-lane-entries.ts';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Empty } from '../../components/empty.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Time } from '../../components/time/time.tsx';
import { PageLink } from '../page-link.tsx';
import { useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';

/** What changed on a host in the range of the page, the newest first. */
export function ChangesTab({ host }: { host: Host }) {
  const setSearch = useSetPageSearch('host');
  const { range } = useChartGroup();
  const { entries } = useLaneEntries({ serviceId: host.id, host: host.name, tags: host.tags });
  const changes = entries
    .filter(({ kind, from, to }) => kind !== 'alerts' && to >= range.from && from <= range.to)
    .sort((a, b) => b.from - a.from);
  return (
    <>
      <RangeBar onRange={({ from, to }) => void setSearch({ from, to })} />
      {changes.length === 0 ? (
        <Empty>Nothing is known to have changed in this range.</Empty>
      ) : (
        <Table
          name="Changes"
          columns={COLUMNS}
          rows={changes}
          keyOf={({ id }) => id}
          narrow={(entry) => <NarrowChange entry={entry} />}
        />
      )}
    </>
  );
}

/** A change on a phone: its time, then what it was. */
function NarrowChange({ entry: { name, from, page } }: { entry: LaneEntry }) {
  return (
    <div className={styles['narrow']}>
      <Time at={new Date(from).toISOString()} />
      <div className={styles['line']}>
        {page ? (
          <PageLink page={page.name} id={page.id} title={name}>
            {name}
          </PageLink>
        ) : (
          <span title={name}>{name}</span>
        )}
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<LaneEntry>[] = [
  {
    id: 'at',
    heading: 'Time',
    width: '200px',
    cell: ({ from }) => <Time at={new Date(from).toISOString()} />,
  },
  {
    id: 'what',
    heading: 'Change',
    width: 'minmax(200px, 1fr)',
    wraps: true,
    cell: ({ name, page }) =>
      page ? (
        <PageLink page={page.name} id={page.id} title={name}>
          {name}
        </PageLink>
      ) : (
        <span title={name}>{name}</span>
      ),
  },
];
