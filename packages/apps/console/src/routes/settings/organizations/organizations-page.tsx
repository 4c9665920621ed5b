import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PRIVILEGED, privilegedClient } from '../../../api/privileged-read.ts';
import { Copy } from '../../../components/copy.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useScope } from '../../../session/scopes.ts';
import { useSession } from '../../../session/session-state.ts';
import { More } from '../more.tsx';
import { NeedsScope } from '../needs-scope.tsx';
import { ReadProblem } from '../read-problem.tsx';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { NewOrganization } from './new-organization.tsx';

/** The organizations of the installation, for its operator. */
export function OrganizationsPage() {
  const { isMissing } = useScope('operator');
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <SettingsHeader
        section="organizations"
        actions={
          <ScopedButton scope="operator" kind="primary" onClick={() => setAdding(true)}>
            New organization
          </ScopedButton>
        }
      />
      {isMissing ? <NeedsScope scope="operator" what="The list of organizations" /> : <Organizations />}
      {isAdding && <NewOrganization onClose={() => setAdding(false)} />}
    </>
  );
}

function Organizations() {
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.identity.organization.id : null;
  const { data, error, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['organizations'],
      queryFn: (context) => {
        const query = { limit: 50, ...(context.pageParam !== null && { cursor: context.pageParam }) };
        const { signal } = context;
        return privilegedClient(context).get('/api/v1/organizations', { params: { query }, signal });
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ pagination }) => pagination.next_cursor,
      ...PRIVILEGED,
    });
  const total = data?.pages[0]?.pagination.total ?? 0;
  return (
    <>
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error && <ReadProblem error={error} isShown={data !== undefined} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={3} height={40} />
      ) : (
        <>
          <p className={styles['muted']} role="status">
            {formatCount(total)} {total === 1 ? 'organization shares' : 'organizations share'} this
            installation without seeing one another.
          </p>
          <ul className={styles['list']} aria-label="Organizations">
            {data.pages
              .flatMap(({ organizations }) => organizations)
              .map(({ id, name, created_at }) => (
                <li key={id}>
                  <div className={styles['text']}>
                    <span>
                      <strong>
                        <bdi>{visibleText(name)}</bdi>
                      </strong>
                      {id === own && ' · this session’s'}
                    </span>
                    <span className={styles['muted']}>
                      created <Time at={created_at} />
                    </span>
                  </div>
                  <Copy text={id} label="Copy id" />
                </li>
              ))}
          </ul>
        </>
      )}
      <More {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  );
}
