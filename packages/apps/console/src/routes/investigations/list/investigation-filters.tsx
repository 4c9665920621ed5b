import { Filters } from '../../../components/filters/filters.tsx';
import { FilterSelect } from '../../../components/select.tsx';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { useTypedParameter } from '../../typed-parameter.ts';

const STATUSES = {
  '': 'Any status',
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
const CONCLUSIONS = {
  '': 'Any conclusion',
  root_cause_found: 'Root cause found',
  inconclusive: 'Inconclusive',
};
const TIMES = { '': 'Any time', '-1h': 'Last hour', '-24h': 'Last 24 hours', '-7d': 'Last 7 days' };

/** The filters of the list of investigations, all of which are in the URL. */
export function InvestigationFilters() {
  const { status, conclusion, host, from } = usePageSearch('investigations');
  const setSearch = useSetPageSearch('investigations');
  const typed = useTypedParameter(host ?? '', (value, replace) =>
    setSearch({ host: value.trim() || undefined }, { replace }),
  );
  const times: Record<string, string> =
    from !== undefined && !(from in TIMES) ? { ...TIMES, [from]: `From ${from}` } : TIMES;
  return (
    <Filters
      name="Filter investigations"
      active={[status, conclusion, from].filter((each) => each !== undefined).length}
      lead={
        <input
          type="search"
          placeholder="Host"
          aria-label="Host"
          data-page-filter
          value={typed.value}
          onChange={({ target }) => typed.type(target.value)}
        />
      }
    >
      <FilterSelect
        aria-label="Status"
        options={Object.entries(STATUSES)}
        value={status}
        onChange={(value) => setSearch({ status: value })}
      />
      <FilterSelect
        aria-label="Conclusion"
        options={Object.entries(CONCLUSIONS)}
        value={conclusion}
        onChange={(value) => setSearch({ conclusion: value })}
      />
      <FilterSelect
        aria-label="Started"
        options={Object.entries(times)}
        value={from}
        onChange={(value) => setSearch({ from: value, to: undefined })}
      />
    </Filters>
  );
}
