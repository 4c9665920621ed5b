import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Select } from '../../components/select.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import toolbar from '../../components/toolbar.module.css';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { EndSilence } from './end-silence.tsx';
import { readSilences } from './read-silences.ts';
import { SilenceCalendar } from './silence-calendar.tsx';
import { SilenceList } from './silence-list.tsx';

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
      <div className={toolbar['toolbar']}>
        <Button aria-pressed={!isList} onClick={() => void setSearch({ view: undefined })}>
          Calendar
        </Button>
        <Button aria-pressed={isList} onClick={() => void setSearch({ view: 'list' })}>
          List
        </Button>
        <Select
          label="Status"
          value={status ?? 'all'}
          options={[['all', 'all'], ...Object.entries(STATUSES)]}
          onChange={(value) =>
            setSearch({ status: value === 'all' ? undefined : (value as keyof typeof STATUSES) })
          }
        />
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={5} height={32} />
      ) : data.length === 0 ? (
        <Empty action={<PageLink page="newSilence">Create one</PageLink>}>
          {filter === undefined
            ? 'There is no silence. A silence keeps notifications of matching alerts back for a time, such as during maintenance; the alerts are still listed.'
            : `No silence is ${filter}.`}
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
