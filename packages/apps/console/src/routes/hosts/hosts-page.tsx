import { useNavigate } from '@tanstack/react-router';
import { isServed, pathOf } from '@tidewatch/contracts/console/paths';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useAfterPaint } from '../../components/use-after-paint.ts';
import { FILLS, writeTag } from '../../fleet/filter.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { HostGroup } from '../../fleet/group.ts';
import { FleetMap } from '../../fleet/map/fleet-map.tsx';
import { useFleet } from '../../fleet/use-fleet.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { AsOfRibbon, absoluteTime } from './as-of-ribbon.tsx';
import { HostsLegend } from './hosts-legend.tsx';
import styles from './hosts-page.module.css';
import {
  fillOf,
  type HostsSearch,
  isFiltered,
  NO_FILTER,
  neededTags,
  orderOf,
  viewOf,
} from './hosts-state.ts';
import { HostsTable } from './hosts-table.tsx';
import { nothingMatches } from './hosts-texts.ts';
import { HostsToolbar } from './hosts-toolbar.tsx';
import { MAX_COMPARED, SelectionBar } from './selection-bar.tsx';
import { UnhealthyHosts } from './unhealthy-hosts.tsx';

const MAX_SELECTED = 500;
const NO_IDS: readonly string[] = [];

/** All hosts as a map or a table, with one filter for both. */
export function HostsPage() {
  const search = usePageSearch('hosts');
  const asOf = useMemo(() => absoluteTime(search.as_of), [search.as_of]);
  const { data, error, refetch } = useFleet({ tags: neededTags(search), asOf });
  // Thousands of hosts are rendered in steps, also when they arrive.
  const fleet = useDeferredValue(data);
  return (
    <>
      <PageHeader title="Hosts" actions={<PageLink page="addHost">Add a host</PageLink>} />
      <AsOfRibbon asOf={asOf} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {fleet === undefined ? !error && <Skeleton lines={8} height={32} /> : <Hosts fleet={fleet} />}
    </>
  );
}

function Hosts({ fleet: { hosts } }: { fleet: Fleet }) {
  const search = usePageSearch('hosts');
  // Controls show at once what was chosen; thousands of hosts follow in a rendering that gives way to the next input.
  const shown = useAfterPaint(useFilter(search));
  const setSearch = useSetPageSearch('hosts');
  const navigate = useNavigate();
  const [current, setCurrent] = useState<string | undefined>();
  const formerGroups = useRef<{ by: string | undefined; values: (string | null)[] }>({
    by: undefined,
    values: [],
  });
  const view = useMemo(() => {
    const { by, values } = formerGroups.current;
    const next = viewOf(hosts, shown, by === shown.group_by ? values : []);
    formerGroups.current = { by: shown.group_by, values: next.groups.map(({ value }) => value) };
    return next;
  }, [hosts, shown]);
  const selection = search.select ?? NO_IDS;
  const selected = useMemo(() => new Set(selection), [selection]);
  const fill = fillOf(shown);
  const selectedNow = useRef(selected);
  useEffect(() => {
    selectedNow.current = selected;
  }, [selected]);

  // Always the same function: another one would have the cells of all rows rendered again.
  const select = useCallback(
    (ids: readonly string[]) => {
      const isOne = ids.length === 1;
      const next = new Set(selectedNow.current);
      for (const id of ids)
        if (isOne && next.has(id)) next.delete(id);
        else next.add(id);
      const list = [...next].slice(0, MAX_SELECTED);
      void setSearch({ select: list.length === 0 ? undefined : list }, { replace: true });
    },
    [setSearch],
  );
  const open = useCallback(
    (id: string) => void (isServed('host') && navigate({ to: pathOf('host', { id }) })),
    [navigate],
  );
  const openGroup = useCallback(
    ({ value }: HostGroup) => {
      if (shown.group_by === undefined || value === null) return;
      const tag = writeTag(shown.group_by, value);
      void setSearch({ tag: [...(shown.tag ?? []), tag], group_by: undefined });
    },
    [shown, setSearch],
  );
  const compare = () => {
    if (!isServed('compare') || selection.length < 2 || selection.length > MAX_COMPARED) return;
    void navigate({ to: pathOf('compare', {}), search: { id: selection } as never });
  };
  const clearSelection = () => {
    if (selection.length > 0) void setSearch({ select: undefined }, { replace: true });
  };
  useShortcuts({
    v: () => void setSearch({ view: search.view === 'table' ? undefined : 'table' }),
    f: () => {
      const next = FILLS[(FILLS.indexOf(fillOf(search)) + 1) % FILLS.length];
      void setSearch({ fill: next === 'status' ? undefined : next, step: undefined });
    },
    c: compare,
    Escape: clearSelection,
  });

  if (hosts.ids.length === 0)
    return <Empty action={<PageLink page="addHost">Add a host.</PageLink>}>No host has reported yet.</Empty>;
  return (
    <div className={styles['page']}>
      <HostsToolbar hosts={hosts} shown={view.rows} sorted={view.sorted} />
      <HostsLegend counts={view.legend} />
      {view.rows.length === 0 ? (
        <Empty action={<Button onClick={() => void setSearch(NO_FILTER)}>Clear filters</Button>}>
          {nothingMatches(isFiltered(shown) ? describe(shown) : '', hosts.ids.length)}
        </Empty>
      ) : shown.view === 'table' ? (
        <HostsTable
          hosts={hosts}
          search={shown}
          order={orderOf(search)}
          rows={view.sorted}
          selected={selected}
          current={current}
          onCurrent={setCurrent}
          onSelect={select}
          onOpen={open}
        />
      ) : (
        <>
          <UnhealthyHosts hosts={hosts} rows={view.rows} search={shown} />
          <FleetMap
            hosts={hosts}
            groups={view.groups}
            isGrouped={shown.group_by !== undefined}
            fill={fill}
            selected={selected}
            current={current}
            onCurrent={setCurrent}
            onOpen={open}
            onSelect={select}
            onOpenGroup={openGroup}
          />
        </>
      )}
      {selection.length > 0 && (
        <SelectionBar
          hosts={hosts}
          selection={selection}
          isFull={selection.length === MAX_SELECTED}
          onCompare={compare}
          onClear={clearSelection}
        />
      )}
    </div>
  );
}

/** The search without the selection: the same object as long as nothing else has changed. */
function useFilter(search: HostsSearch): HostsSearch {
  const { select: _, ...filter } = search;
  const text = JSON.stringify(filter);
  return useMemo(() => JSON.parse(text) as HostsSearch, [text]);
}

/** The filters in one line, for the sentence that nothing matches. */
function describe({ q, status, tag, step }: ReturnType<typeof usePageSearch<'hosts'>>): string {
  return [q, ...(tag ?? []), ...(status ?? []), ...(step ?? [])]
    .filter((part) => part !== undefined)
    .join(', ');
}
