import { Button } from '../../../components/button.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { useTypedParameter } from '../../typed-parameter.ts';
import styles from './alerts-page.module.css';
import { isFiltered, NO_FILTERS, SORTS } from './alerts-query.ts';

const SEVERITIES = { '': 'Any severity', critical: 'Critical', warning: 'Warning', info: 'Info' };
const ACKNOWLEDGED = { '': 'Acknowledged or not', false: 'Not acknowledged', true: 'Acknowledged' };
const TIMES = { '': 'Any time', '-1h': 'Last hour', '-24h': 'Last 24 hours', '-7d': 'Last 7 days' };
const SHADOW = { '': 'Without shadow rules', true: 'With shadow rules' };

/** The filters of the list of alerts, all of which are in the URL. */
export function AlertFilters() {
  const search = usePageSearch('alerts');
  const setSearch = useSetPageSearch('alerts');
  const host = useTypedParameter(search.host ?? '', (value, replace) =>
    setSearch({ host: value.trim() || undefined }, { replace }),
  );
  const { severity, acknowledged, from, to, shadow, sort, service_id, rule_id } = search;
  const times: Record<string, string> =
    from !== undefined && !(from in TIMES) ? { ...TIMES, [from]: `From ${from}` } : TIMES;
  return (
    <search className={styles['filters']} aria-label="Filter alerts">
      <input
        type="search"
        placeholder="Host"
        aria-label="Host"
        data-page-filter
        value={host.value}
        onChange={(event) => host.type(event.target.value)}
      />
      <Choice
        label="Severity"
        choices={SEVERITIES}
        value={severity}
        onChange={(value) => setSearch({ severity: value as 'info' })}
      />
      <Choice
        label="Acknowledged"
        choices={ACKNOWLEDGED}
        value={acknowledged}
        onChange={(value) => setSearch({ acknowledged: value as 'true' })}
      />
      <Choice
        label="Fired"
        choices={times}
        value={from}
        onChange={(value) => setSearch({ from: value, to: undefined })}
      />
      <Choice
        label="Shadow rules"
        choices={SHADOW}
        value={shadow}
        onChange={(value) => setSearch({ shadow: value as 'true' })}
      />
      <Choice
        label="Order"
        choices={SORTS}
        value={sort ?? '-fired_at'}
        onChange={(value) => setSearch({ sort: value === '-fired_at' ? undefined : value })}
      />
      {rule_id !== undefined && (
        <Chip label={`rule ${visibleText(rule_id)}`} onRemove={() => setSearch({ rule_id: undefined })} />
      )}
      {service_id !== undefined && (
        <Chip
          label={`host ${visibleText(service_id)}`}
          onRemove={() => setSearch({ service_id: undefined })}
        />
      )}
      {to !== undefined && <Chip label={`before ${to}`} onRemove={() => setSearch({ to: undefined })} />}
      {isFiltered(search) && <Button onClick={() => setSearch(NO_FILTERS)}>Clear filters</Button>}
    </search>
  );
}

interface ChoiceProps {
  label: string;
  choices: Readonly<Record<string, string>>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, choices, value = '', onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value || undefined)}>
      {Object.entries(choices).map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button onClick={onRemove} title="Remove this filter">
      {label} <span aria-hidden="true">×</span>
    </Button>
  );
}
