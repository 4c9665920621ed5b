import {
  CheckboxesField,
  Field,
  PatternsField,
  SelectField,
  TagsField,
  TextField,
} from '../../form/fields.tsx';
import { useForm } from '../../form/form-state.ts';
import { RECURRENCES, recurrenceText } from './silence-words.ts';
import styles from './silences.module.css';
import { useRules } from './use-rule-names.ts';

const SEVERITIES = [
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'info'],
] as const;

/** Which alerts, from when to when, how often, and why. */
export function SilenceForm() {
  const { draft } = useForm();
  const { data: rules = [] } = useRules();
  const recurrence = draft['recurrence'] as string | null;
  const known = RECURRENCES.some(([rule]) => rule === (recurrence ?? ''));
  const options = known
    ? RECURRENCES
    : [...RECURRENCES, [recurrence ?? '', recurrenceText(recurrence)] as const];
  const zone = String(draft['timezone'] ?? '');
  return (
    <div className={styles['form']}>
      <PatternsField
        path="/matchers/hosts"
        label="Hosts"
        help="Names or patterns: db-*, web-1. Empty: any."
      />
      <TagsField path="/matchers/tags" label="Tags" />
      <CheckboxesField
        path="/matchers/rule_ids"
        label="Rules"
        options={rules.map(({ id, name }) => [id, name] as const)}
        help="None chosen: any rule."
      />
      <CheckboxesField
        path="/matchers/severities"
        label="Severities"
        options={SEVERITIES}
        help="None chosen: any."
      />
      <ClockField path="/from" label="From" zone={zone} />
      <ClockField path="/until" label="Until" zone={zone} />
      <SelectField path="/recurrence" label="Repeats" options={options} help={recurrence ?? undefined} />
      <TextField
        path="/timezone"
        label="Zone"
        list="silence-zones"
        help="The clock by which it begins, ends and repeats."
      />
      <datalist id="silence-zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField path="/comment" label="Comment" isLong />
    </div>
  );
}

/** A time by the clock of the silence's zone, which stands beside it. */
function ClockField({ path, label, zone }: { path: string; label: string; zone: string }) {
  const { draft, change } = useForm();
  return (
    <Field path={path} label={label}>
      {({ id, describedBy, isInvalid }) => (
        <span className={styles['clock']}>
          <input
            id={id}
            type="datetime-local"
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={String(draft[path.slice(1)] ?? '')}
            onChange={({ target }) => change(path, target.value)}
          />
          <span>{zone}</span>
        </span>
      )}
    </Field>
  );
}
