import { EVENT_TYPES } from '@tidewatch/contracts/events/event-types';
import { Button } from '../../components/button.tsx';
import { Filters } from '../../components/filters/filters.tsx';
import { FilterSelect } from '../../components/select.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { X } from '../../icons/lucide.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { useTypedParameter } from '../typed-parameter.ts';

const SEVERITIES = [
  ['', 'Any severity'],
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'info'],
] as const;
const BY_NOUN = Object.entries(Object.groupBy(EVENT_TYPES, (type) => type.split('.')[0] ?? ''));

/** The filters of the list of events, all of which are in the URL. */
export function EventFilters() {
  const { types = [], host, severity } = usePageSearch('events');
  const setSearch = useSetPageSearch('events');
  const typed = useTypedParameter(host ?? '', (value, replace) =>
    setSearch({ host: value.trim() || undefined }, { replace }),
  );
  const choose = (chosen: readonly string[]) =>
    void setSearch({ types: chosen.length === 0 ? undefined : chosen });
  return (
    <Filters
      name="Filter events"
      active={severity === undefined ? 0 : 1}
      lead={
        <input
          type="search"
          placeholder="Host, such as web-*"
          aria-label="Host"
          title="Shortcut: /"
          data-page-filter
          value={typed.value}
          onChange={({ target }) => typed.type(target.value)}
        />
      }
      after={types.map((type) => (
        <Button
          key={type}
          aria-label={`Remove the filter ${visibleText(type)}`}
          onClick={() => choose(types.filter((each) => each !== type))}
        >
          {visibleText(type)} <X size={14} aria-hidden="true" />
        </Button>
      ))}
    >
      <select
        aria-label="Types"
        value=""
        onChange={({ target: { value } }) => choose([...new Set([...types, ...typesOf(value)])])}
      >
        <option value="">{types.length === 0 ? 'Any type' : 'Another type …'}</option>
        {BY_NOUN.map(([noun, of = []]) => (
          <optgroup key={noun} label={noun}>
            {of.length > 1 && <option value={`${noun}.*`}>every {noun} event</option>}
            {of.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </optgroup>
        ))}
      </select>
      <FilterSelect
        aria-label="Severity"
        value={severity}
        options={SEVERITIES}
        onChange={(value) => setSearch({ severity: value })}
      />
    </Filters>
  );
}

/** A type, or all types of a noun. */
function typesOf(choice: string): readonly string[] {
  if (!choice.endsWith('.*')) return [choice];
  return EVENT_TYPES.filter((type) => type.startsWith(choice.slice(0, -1)));
}
