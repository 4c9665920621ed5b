import { Button } from '../../../components/button.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import styles from '../settings.module.css';
import { ACTION_WORDS, isObjectType, OBJECT_WORDS } from './audit-words.ts';

const TIMES = [
  ['-1h', 'last hour'],
  ['-24h', 'last 24 hours'],
  ['-7d', 'last 7 days'],
  ['-30d', 'last 30 days'],
] as const;

const NO_FILTERS = {
  action: undefined,
  actor: undefined,
  object: undefined,
  from: undefined,
  to: undefined,
};

/** The filters of the audit log, all of which are in the URL. */
export function AuditFilters() {
  const { action, actor, object, from, to } = usePageSearch('audit');
  const setSearch = useSetPageSearch('audit');
  const kind = isObjectType(object) ? object : undefined;
  const times: readonly (readonly [string, string])[] =
    from === undefined || TIMES.some(([value]) => value === from)
      ? TIMES
      : [...TIMES, [from, `since ${from}`]];
  const isFiltered = [action, actor, object, from, to].some((each) => each !== undefined);
  return (
    <search className={styles['toolbar']} aria-label="Filter the audit log">
      <Choice
        label="Action"
        none="any"
        value={action}
        choices={Object.entries(ACTION_WORDS)}
        onChange={(value) => void setSearch({ action: value })}
      />
      <Choice
        label="Objects"
        none="all"
        value={kind}
        choices={Object.entries(OBJECT_WORDS)}
        onChange={(value) => void setSearch({ object: value })}
      />
      <Choice
        label="Time"
        none="any"
        value={from}
        choices={times}
        onChange={(value) => void setSearch({ from: value, to: undefined })}
      />
      {object !== undefined && kind === undefined && (
        <Chip label={`of ${visibleText(object)}`} onRemove={() => void setSearch({ object: undefined })} />
      )}
      {actor !== undefined && (
        <Chip label={`by ${visibleText(actor)}`} onRemove={() => void setSearch({ actor: undefined })} />
      )}
      {to !== undefined && <Chip label={`before ${to}`} onRemove={() => void setSearch({ to: undefined })} />}
      {isFiltered && <Button onClick={() => void setSearch(NO_FILTERS)}>Clear filters</Button>}
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** The word for no filter. */
  none: string;
  value: string | undefined;
  choices: readonly (readonly [value: string, word: string])[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, none, value = '', choices, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{none}</option>
        {choices.map(([choice, word]) => (
          <option key={choice} value={choice}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button className={styles['chip']} onClick={onRemove} title="Remove this filter">
      {label} <span aria-hidden="true">×</span>
    </Button>
  );
}
