import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { useState } from 'react';
import { Empty } from '../../../components/empty.tsx';
import { Filters } from '../../../components/filters/filters.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { Select } from '../../../components/select.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { Table } from '../../../components/table/table.tsx';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useScope } from '../../../session/scopes.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { useTypedParameter } from '../../typed-parameter.ts';
import { NeedsScope } from '../needs-scope.tsx';
import { ReadProblem } from '../read-problem.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import { NarrowKey, useKeyColumns } from './key-columns.tsx';
import { FILTERS } from './key-words.ts';
import { NewKey } from './new-key.tsx';
import { keysRead } from './read-keys.ts';

/** The keys of the organization, with what each may do and when it was used last. */
export function KeysPage() {
  const { isMissing } = useScope('admin');
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <SettingsHeader
        section="keys"
        actions={
          <ScopedButton scope="admin" kind="primary" onClick={() => setAdding(true)}>
            New key
          </ScopedButton>
        }
      />
      {isMissing ? <NeedsScope scope="admin" what="The list of keys" /> : <Keys />}
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
    </>
  );
}

function Keys() {
  const navigate = useNavigate();
  const { q, status = 'valid' } = usePageSearch('keys');
  const setSearch = useSetPageSearch('keys');
  const typed = useTypedParameter(q ?? '', (value, replace) =>
    setSearch({ q: value.trim() || undefined }, { replace }),
  );
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    keysRead(q, status === 'all' ? undefined : status),
  );
  const columns = useKeyColumns();
  const rows = data?.pages.flatMap(({ keys }) => keys) ?? [];
  const total = data?.pages[0]?.pagination.total ?? 0;
  const isFiltered = q !== undefined || status !== 'valid';
  return (
    <>
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <Filters
        name="Filter keys"
        active={status === 'valid' ? 0 : 1}
        lead={
          <input
            type="search"
            placeholder="Name"
            aria-label="Name"
            data-page-filter
            maxLength={200}
            value={typed.value}
            onChange={({ target }) => typed.type(target.value)}
          />
        }
        after={
          data && (
            <strong role="status">
              {formatCount(total)} {total === 1 ? 'key' : 'keys'}
            </strong>
          )
        }
      >
        <Select
          label="Show"
          value={status}
          options={FILTERS}
          onChange={(value) => setSearch({ status: value === 'valid' ? undefined : (value as 'all') })}
        />
      </Filters>

      {error && <ReadProblem error={error} isShown={data !== undefined} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={6} height={32} />
      ) : rows.length === 0 ? (
        <Empty>
          {isFiltered
            ? 'No key matches.'
            : 'There is no valid key. An agent needs a key to send samples, and a person needs one to sign in: create one with “New key”.'}
        </Empty>
      ) : (
        <Table
          name="Keys"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          total={total}
          narrow={(key) => <NarrowKey value={key} />}
          onOpen={({ id }) => void navigate({ to: pathOf('key', { id }) })}
          onEnd={() => hasNextPage && !isFetching && void fetchNextPage()}
        />
      )}
    </>
  );
}
