import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { problemText } from '../../../components/problem-text.ts';
import { Table } from '../../../components/table/table.tsx';
import type { AlertPages } from '../../../live/alert-lists.ts';
import { useHeldRows } from '../../../live/use-held-rows.ts';
import { useScope } from '../../../session/scopes.ts';
import { causesRead } from '../../investigations/investigation-reads.ts';
import { PageLink } from '../../page-link.tsx';
import { usePageSearch } from '../../page-state.ts';
import { acknowledge, keepAlert } from '../acknowledge.ts';
import type { Alert } from '../alert-reads.ts';
import { causeOf, causesByAlert } from '../likely-cause.ts';
import { alertColumns, NarrowAlert } from './alert-columns.tsx';
import {
  type AlertGroup,
  type AlertLine,
  type AlertRow,
  alertGroups,
  groupedRows,
  groupingOf,
} from './alert-groups.ts';
import styles from './alerts-page.module.css';
import { isFiltered, NO_FILTERS } from './alerts-query.ts';
import { BulkAcknowledge } from './bulk-acknowledge.tsx';
import { groupedColumns, NarrowGroup } from './grouped-columns.tsx';
import { useTagValues } from './use-tag-values.ts';

export interface AlertListProps {
  data: AlertPages;
  /** Names the question: another one is another list. */
  list: string;
  /** True for a list of the past, in which nothing can be changed. */
  isPast: boolean;
  loadMore: (() => unknown) | undefined;
}

/** More alerts than these are not read only to group them. */
const MAX_GROUPED = 1_000;

const keyOf = ({ id }: Alert) => id;
const rowKeyOf = (row: AlertRow) => (row.kind === 'alert' ? row.alert.id : `group ${row.group.key ?? ''}`);

/** The rows of a list of alerts, which do not move while somebody reads them. */
export function AlertList({ data, list, isPast, loadMore }: AlertListProps) {
  const navigate = useNavigate();
  const search = usePageSearch('alerts');
  const client = useQueryClient();
  const canWrite = !useScope('write').isMissing;
  const [failure, setFailure] = useState<unknown>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data: found } = useQuery(causesRead());
  const causes = useMemo(() => causesByAlert(found ?? []), [found]);
  const alerts = useMemo(() => data.pages.flatMap((page) => page.alerts), [data]);
  const { shown, waiting, hold, release, fresh } = useHeldRows(alerts, keyOf, list);
  const grouping = useMemo(() => groupingOf(search.group), [search.group]);
  const tagOf = useTagValues(grouping?.by === 'tag' ? grouping.tag : undefined);
  const [closed, setClosed] = useState<ReadonlySet<string | null>>(new Set());
  const openOrClose = useCallback(({ key }: AlertGroup) => setClosed((former) => toggled(former, key)), []);
  const rows = useMemo((): readonly AlertRow[] => {
    const lineOf = (alert: Alert): AlertLine => ({
      kind: 'alert',
      alert,
      isNew: fresh.has(alert.id),
      cause: causeOf(causes, alert),
    });
    return grouping === null
      ? shown.map(lineOf)
      : groupedRows(alertGroups(shown, grouping, tagOf), closed, lineOf);
  }, [shown, fresh, causes, grouping, tagOf, closed]);
  // Groups are those of all alerts, as far as there are not too many.
  const isGrouping = grouping !== null && loadMore !== undefined && alerts.length < MAX_GROUPED;
  useEffect(() => {
    if (isGrouping) void loadMore();
  }, [isGrouping, loadMore]);
  const total = data.pages.at(-1)?.pagination.total ?? alerts.length;

  const columns = useMemo(() => {
    const toggle = (id: string) => setSelected((former) => toggled(former, id));
    return groupedColumns(alertColumns(isPast ? undefined : toggle), grouping, openOrClose);
  }, [isPast, grouping, openOrClose]);
  const narrow = useCallback(
    (row: AlertRow) =>
      row.kind === 'alert' ? (
        <NarrowAlert line={row} />
      ) : (
        <NarrowGroup group={row.group} isOpen={row.isOpen} grouping={grouping} onToggle={openOrClose} />
      ),
    [grouping, openOrClose],
  );
  const onKey = (key: string, row: AlertRow) => {
    if (isPast || row.kind === 'group') return;
    const { alert } = row;
    if (key === 'x') setSelected((former) => toggled(former, alert.id));
    if (key === 'a' && canWrite && alert.status === 'active' && alert.acknowledged_at === null)
      void acknowledge(alert.id).then((answer) => keepAlert(client, answer), setFailure);
  };
  if (shown.length === 0 && waiting === 0)
    return isFiltered(search) ? (
      <Empty
        action={
          <PageLink page="alerts" search={{ ...search, ...NO_FILTERS }}>
            Clear filters
          </PageLink>
        }
      >
        No alert matches these filters.
      </Empty>
    ) : (
      <Empty>{search.status === undefined ? 'Nothing is firing.' : 'There is no such alert.'}</Empty>
    );
  return (
    <div className={styles['list']}>
      <div className={styles['bar']}>
        <span role="status">
          {formatCount(total)} {total === 1 ? 'alert' : 'alerts'}
          {grouping !== null &&
            total > alerts.length &&
            `, of which the first ${formatCount(alerts.length)} are grouped`}
        </span>
        {waiting > 0 && (
          <Button kind="primary" onClick={release}>
            {waiting} new
          </Button>
        )}
        {selected.size > 0 && (
          <BulkAcknowledge
            alerts={alerts.filter(({ id }) => selected.has(id))}
            onDone={(left) => setSelected(new Set(left))}
          />
        )}
      </div>
      {failure !== undefined && <p role="alert">Not acknowledged: {problemText(failure).detail}</p>}
      <Table
        name="Alerts"
        columns={columns}
        rows={rows}
        total={grouping === null ? total : rows.length}
        keyOf={rowKeyOf}
        narrow={narrow}
        isSelected={(row) => row.kind === 'alert' && selected.has(row.alert.id)}
        onOpen={(row) => {
          if (row.kind === 'group') openOrClose(row.group);
          else void navigate({ to: pathOf('alert', { id: row.alert.id }) });
        }}
        keys={isPast ? [] : ['x', 'a']}
        onKey={onKey}
        onHold={hold}
        {...(loadMore && { onEnd: () => void loadMore() })}
      />
    </div>
  );
}

/** The set with the value, or without it if it had it. */
function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
