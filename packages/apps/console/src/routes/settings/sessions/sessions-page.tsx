import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { useServerNow } from '../../../components/time/clock.ts';
import { visibleText } from '../../../components/visible-text.ts';
import { askConfirmation } from '../../../session/confirmation.ts';
import { useSession } from '../../../session/session-state.ts';
import { More } from '../more.tsx';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { NewLink } from './new-link.tsx';
import { RevokeSession } from './revoke-session.tsx';
import { type Session, SessionLine } from './session-line.tsx';

/** Sessions are used without any event, ms. */
const POLL_MS = 30_000;

/** Which browsers are signed in, and links that sign in others. */
export function SessionsPage() {
  const [adding, setAdding] = useState<'person' | 'display' | null>(null);
  return (
    <>
      <SettingsHeader
        section="sessions"
        actions={
          <>
            <Button onClick={() => setAdding('display')}>New display</Button>
            <Button onClick={() => setAdding('person')}>New sign-in link</Button>
          </>
        }
      />
      <Sessions />
      {adding !== null && <NewLink kind={adding} onClose={() => setAdding(null)} />}
    </>
  );
}

function Sessions() {
  const sight = useSight();
  const [revoking, setRevoking] = useState<Session | null>(null);
  const { data, error, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['sessions', sight],
      queryFn: ({ pageParam, signal }) => {
        const query = { limit: 50, ...(pageParam !== null && { cursor: pageParam }) };
        return api.get('/api/v1/sessions', { params: { query }, signal });
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ pagination }) => pagination.next_cursor,
      refetchInterval: POLL_MS,
    });
  const total = data?.pages[0]?.pagination.total ?? 0;
  return (
    <>
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <SightNotice sight={sight} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={4} height={56} />
      ) : (
        <>
          <p className={styles['muted']} role="status">
            {formatCount(total)} {total === 1 ? 'browser is' : 'browsers are'} signed in.
          </p>
          <ul className={styles['list']} aria-label="Sessions">
            {data.pages
              .flatMap(({ sessions }) => sessions)
              .map((session) => (
                <SessionLine key={session.id} session={session} onRevoke={() => setRevoking(session)} />
              ))}
          </ul>
        </>
      )}
      <More {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
      {revoking && <RevokeSession session={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

/** Whose sessions the list has: those of the key, or of the organization for administrators that have confirmed. */
type Sight = 'own' | 'unconfirmed' | 'all';

function useSight(): Sight {
  const session = useSession();
  const now = useServerNow(10_000);
  if (session.kind !== 'signed-in' || !session.identity.scopes.includes('admin')) return 'own';
  const { confirmed_until: until } = session.identity;
  return until === null || Date.parse(until) > now ? 'all' : 'unconfirmed';
}

function SightNotice({ sight }: { sight: Sight }) {
  const session = useSession();
  if (session.kind !== 'signed-in' || sight === 'all') return null;
  return (
    <div className={styles['notice']}>
      <p>
        Sessions of the key “<bdi>{visibleText(session.identity.key.name)}</bdi>”.
        {sight === 'unconfirmed' &&
          ' Those of the organization are shown once you have confirmed who you are.'}
        {sight === 'own' && ' To see those of the organization needs the scope admin.'}
      </p>
      {sight === 'unconfirmed' && <Button onClick={() => void askConfirmation()}>Confirm it is you</Button>}
    </div>
  );
}
