import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { EndSilence } from './end-silence.tsx';
import { readSilences } from './read-silences.ts';
import { SilenceCalendar } from './silence-calendar.tsx';
import { SilenceList } from './silence-list.tsx';
import styles from './silences.module.css';

const STATUSES = { active: 'active', pending: 'scheduled', expired: 'expired' } as const;

/** When alerts are muted: by days, or as a list. */
export function SilencesPage() {
  const { view, status } = usePageSearch('silences');
  const setSearch = useSetPageSearch('silences');
  const navigate = useNavigate();
  const [ending, setEnding] = useState<Silence | null>(null);
  const filter = status === undefined || status === 'all' ? undefined : STATUSES[status];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['silences', filter ?? 'all'],
    queryFn: () => readSilences(filter),
    refetchInterval: 30_000,
  });
  const isList = view === 'list';
  return (
    <>
      <PageHeader
        title="Silences"
        actions={
          <ScopedButton kind="primary" onClick={() => void navigate({ to: pathOf('newSilence', {}) })}>
            New silence
          </ScopedButton>
        }
      />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <div className={styles['toolbar']}>
        <Button aria-pressed={!isList} onClick={() => void setSearch({ view: undefined })}>
          Calendar
        </Button>
        <Button aria-pressed={isList} onClick={() => void setSearch({ view: 'list' })}>
          List
        </Button>
        <label>
          Status{' '}
          <select
            value={status ?? 'all'}
            onChange={({ target }) =>
              void setSearch({
                status: target.value === 'all' ? undefined : (target.value as keyof typeof STATUSES),
              })
            }
          >
            <option value="all">all</option>
            <option value="active">active</option>
            <option value="pending">scheduled</option>
            <option value="expired">expired</option>
          </select>
        </label>
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={5} height={32} />
      ) : data.length === 0 ? (
        <Empty action={<PageLink page="newSilence">Create one.</PageLink>}>
          {filter === undefined ? 'There is no silence.' : `No silence is ${filter}.`}
        </Empty>
      ) : isList ? (
        <SilenceList silences={data} onEnd={setEnding} />
      ) : (
        <SilenceCalendar silences={data} />
      )}
      {ending && <EndSilence silence={ending} onClose={() => setEnding(null)} />}
    </>
  );
}
