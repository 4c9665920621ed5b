import { isServed } from '@tidewatch/contracts/console/paths';
import { Charts } from '../../chart/chart-group.tsx';
import { RangeBar } from '../../chart/range-bar.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { QueryForm } from './query-form.tsx';
import { queryInput } from './query-input.ts';
import { QueryResult } from './query-result.tsx';

/** One metric of many hosts: a question in the URL, a chart and a table of its groups. */
export function QueryPage() {
  const search = usePageSearch('query');
  const setSearch = useSetPageSearch('query');
  const input = queryInput(search);
  return (
    <>
      <PageHeader
        title="Query"
        windowTitle={search.metric === undefined ? 'Query' : `${search.metric}: query`}
        actions={
          search.metric !== undefined &&
          isServed('newRule') && (
            <PageLink page="newRule" search={{ metric: search.metric }}>
              Make a rule
            </PageLink>
          )
        }
      />
      <Charts from={search.from} to={search.to} onRange={(range) => void setSearch(range)}>
        <QueryForm />
        <RangeBar onRange={({ from, to }) => void setSearch({ from, to })} />
        {input === undefined ? (
          <Empty>
            Choose a metric, then press Enter or leave the field: the chart shows its mean over all hosts. The
            other fields narrow the hosts down, split the line by a tag, or change the aggregate.
          </Empty>
        ) : (
          <QueryResult
            input={input}
            stepSeconds={search.step}
            onChange={(changes) => void setSearch(changes)}
          />
        )}
      </Charts>
    </>
  );
}
