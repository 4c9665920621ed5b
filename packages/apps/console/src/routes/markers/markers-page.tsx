import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { type RangeText, timeOf } from '../../chart/data/range.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatCount } from '../../components/number/number-format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table/table.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { RangeChoice } from '../../components/time/range-choice.tsx';
import toolbar from '../../components/toolbar.module.css';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { useScope } from '../../session/scopes.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { DeleteMarker } from './delete-marker.tsx';
import { markerColumns, NarrowMarker } from './marker-columns.tsx';
import type { Marker } from './marker-words.ts';
import { NewMarker } from './new-marker.tsx';

/** Markers have no events, so that the list is read again. */
const POLL_MS = 15 * SECOND_MS;
const PAGE = 50;

/** What people or their tools did at a time, such as deployments; investigations look at it. */
export function MarkersPage() {
  const { from, to } = usePageSearch('markers');
  const setSearch = useSetPageSearch('markers');
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Marker | null>(null);
  // Relative times are resolved once for each question.
  const range = useMemo(() => absoluteRange({ from, to }), [from, to]);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['markers', range],
      queryFn: ({ pageParam, signal }) => readPage(range, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ pagination }) => pagination.next_cursor ?? null,
      refetchInterval: POLL_MS,
    });
  const markers = useMemo(() => data?.pages.flatMap((page) => page.markers) ?? [], [data]);
  const total = data?.pages.at(-1)?.pagination.total ?? 0;
  const isFiltered = from !== undefined || to !== undefined;
  const onDelete = useScope('write').isMissing ? null : setDeleting;
  const add = (
    <ScopedButton kind="primary" onClick={() => setAdding(true)}>
      New marker
    </ScopedButton>
  );
  return (
    <>
      <PageHeader
        title="Markers"
        actions={
          <>
            <PageLink page="events">Events</PageLink>
            {add}
          </>
        }
      />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <div className={toolbar['toolbar']}>
        <RangeChoice label="Time" texts={{ from, to }} onRange={(texts) => void setSearch(texts)} />
        {data !== undefined && (
          <strong role="status">
            {formatCount(total)} {total === 1 ? 'marker' : 'markers'}
          </strong>
        )}
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={32} />
      ) : markers.length > 0 ? (
        <Table
          name="Markers"
          columns={markerColumns(onDelete)}
          rows={markers}
          total={total}
          keyOf={({ id }) => id}
          narrow={(marker) => <NarrowMarker marker={marker} onDelete={onDelete} />}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
          }}
        />
      ) : isFiltered ? (
        <Empty
          action={
            <Button onClick={() => void setSearch({ from: undefined, to: undefined })}>Show any time</Button>
          }
        >
          No marker lies in this time.
        </Empty>
      ) : (
        <Empty>
          There is no marker. A marker says that somebody changed something, such as a deployment. It stands
          on the charts of its hosts, and investigations name it as a cause. Set one with “New marker”, or let
          whatever deploys call <code>POST /api/v1/markers</code>.
        </Empty>
      )}
      {isAdding && <NewMarker onClose={() => setAdding(false)} />}
      {deleting !== null && <DeleteMarker marker={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function absoluteRange({ from, to }: RangeText): RangeText {
  const now = serverNow();
  const iso = (text: string) => new Date(timeOf(text, now)).toISOString();
  return { ...(from !== undefined && { from: iso(from) }), ...(to !== undefined && { to: iso(to) }) };
}

async function readPage(range: RangeText, cursor: string | null, signal: AbortSignal) {
  const query = { ...range, limit: PAGE, ...(cursor !== null && { cursor }) };
  return (await api.get('/api/v1/markers', {
    params: { query: query as never },
    signal,
  })) as Schema<'MarkersPage'>;
}
