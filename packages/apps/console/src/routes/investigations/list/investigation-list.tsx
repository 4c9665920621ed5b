import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '@tidewatch/api-client/schema';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { useMemo } from 'react';
import { Button } from '../../../components/button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { Table } from '../../../components/table/table.tsx';
import { useHeldRows } from '../../../live/use-held-rows.ts';
import styles from '../../alerts/list/alerts-page.module.css';
import { PageLink } from '../../page-link.tsx';
import { usePageSearch } from '../../page-state.ts';
import type { InvestigationItem } from '../investigation-reads.ts';
import { investigationColumns, NarrowInvestigation } from './investigation-columns.tsx';
import { isFiltered } from './investigations-query.ts';

export interface InvestigationListProps {
  pages: readonly Schema<'InvestigationsPage'>[];
  /** Names the question: another one is another list. */
  list: string;
  loadMore: (() => unknown) | undefined;
}

const keyOf = ({ id }: InvestigationItem) => id;

/** The rows of the list, which do not move while somebody reads them. */
export function InvestigationList({ pages, list, loadMore }: InvestigationListProps) {
  const navigate = useNavigate();
  const search = usePageSearch('investigations');
  const investigations = useMemo(() => pages.flatMap((page) => page.investigations), [pages]);
  const { shown, waiting, hold, release, fresh } = useHeldRows(investigations, keyOf, list);
  const total = pages.at(-1)?.pagination.total ?? investigations.length;
  const columns = useMemo(() => investigationColumns(fresh), [fresh]);
  if (shown.length === 0 && waiting === 0)
    return isFiltered(search) ? (
      <Empty action={<PageLink page="investigations">Clear filters</PageLink>}>
        No investigation matches these filters.
      </Empty>
    ) : (
      <Empty action={<PageLink page="hosts">Choose a host to investigate.</PageLink>}>
        Nothing has been investigated yet. Critical and warning alerts begin an investigation by themselves.
      </Empty>
    );
  return (
    <div className={styles['list']}>
      <div className={styles['bar']}>
        <span role="status">
          {formatCount(total)} {total === 1 ? 'investigation' : 'investigations'}
        </span>
        {waiting > 0 && (
          <Button kind="primary" onClick={release}>
            {waiting} new
          </Button>
        )}
      </div>
      <Table
        name="Investigations"
        columns={columns}
        rows={shown}
        total={total}
        keyOf={keyOf}
        narrow={(investigation) => <NarrowInvestigation investigation={investigation} />}
        onOpen={({ id }) => void navigate({ to: pathOf('investigation', { id }) })}
        onHold={hold}
        {...(loadMore && { onEnd: () => void loadMore() })}
      />
    </div>
  );
}
