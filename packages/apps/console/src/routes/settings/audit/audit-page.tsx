import { useInfiniteQuery } from '@tanstack/react-query';
import { PRIVILEGED, privilegedClient } from '../../../api/privileged-read.ts';
import { Empty } from '../../../components/empty.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { useScope } from '../../../session/scopes.ts';
import { usePageSearch } from '../../page-state.ts';
import { More } from '../more.tsx';
import { NeedsScope } from '../needs-scope.tsx';
import { ReadProblem } from '../read-problem.tsx';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLine } from './audit-line.tsx';
import { auditQuery } from './audit-query.ts';

/** Who changed what, and from where, newest first. */
export function AuditPage() {
  const { isMissing } = useScope('admin');
  return (
    <>
      <SettingsHeader section="audit" />
      {isMissing ? <NeedsScope scope="admin" what="The audit log" /> : <AuditLog />}
    </>
  );
}

function AuditLog() {
  const search = usePageSearch('audit');
  const { action, actor, object, from, to } = search;
  const { data, error, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['audit', { action, actor, object, from, to }],
      queryFn: async (context) => {
        const { signal, pageParam } = context;
        // A cursor belongs to the times of the first page.
        const now = pageParam?.now ?? serverNow();
        const query = {
          limit: 50,
          ...auditQuery(search, now),
          ...(pageParam && { cursor: pageParam.cursor }),
        };
        const page = await privilegedClient(context).get('/api/v1/audit', { params: { query }, signal });
        return { ...page, now };
      },
      initialPageParam: null as { cursor: string; now: number } | null,
      getNextPageParam: ({ pagination: { next_cursor: cursor }, now }) =>
        cursor === null ? null : { cursor, now },
      ...PRIVILEGED,
    });
  const records = data?.pages.flatMap(({ audit }) => audit) ?? [];
  const total = data?.pages[0]?.pagination.total ?? 0;
  return (
    <>
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <AuditFilters />
      {error && <ReadProblem error={error} isShown={data !== undefined} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={40} />
      ) : records.length === 0 ? (
        <Empty>No record matches.</Empty>
      ) : (
        <>
          <p className={styles['muted']} role="status">
            {formatCount(total)} {total === 1 ? 'record' : 'records'}
          </p>
          <ul className={styles['list']} aria-label="Audit log">
            {records.map((record) => (
              <AuditLine key={record.id} record={record} />
            ))}
          </ul>
        </>
      )}
      <More {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  );
}
