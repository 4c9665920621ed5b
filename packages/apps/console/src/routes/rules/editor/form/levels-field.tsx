import { CONDITION_FACTS, type Condition, hasDirection } from '@tidewatch/contracts/rules/condition';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import { Button } from '../../../../components/button.tsx';
import { Status } from '../../../../components/status/status.tsx';
import { Faults, Field, NumberField } from '../../../../form/fields.tsx';
import { useForm, valueAt } from '../../../../form/form-state.ts';
import styles from '../editor.module.css';

/** The severity as radio buttons, each with its shape and word. */
export function SeverityField({ path, label = 'Severity' }: { path: string; label?: string }) {
  const { draft, change } = useForm();
  const value = valueAt(draft, path);
  return (
    <Field path={path} label={label}>
      {({ id, describedBy }) => (
        <span id={id} role="radiogroup" aria-describedby={describedBy} className={styles['choices']}>
          {SEVERITIES.toReversed().map((severity) => (
            <label key={severity}>
              <input
                type="radio"
                name={`${id}-severity`}
                checked={value === severity}
                onChange={() => change(path, severity)}
              />
              <Status status={severity} />
            </label>
          ))}
        </span>
      )}
    </Field>
  );
}

/** Several thresholds, each with its severity. */
export function LevelsField({ unit }: { unit: string }) {
  const { draft, change } = useForm();
  const levels = draft['thresholds'] as readonly Record<string, unknown>[];
  const condition = draft['condition'] as Condition;
  const remove = (place: number) => {
    const rest = levels.filter((_, each) => each !== place);
    const [only] = rest;
    if (rest.length > 1 || only === undefined) change('/thresholds', rest);
    else {
      const { severity, threshold, threshold_max, recovery_threshold } = only;
      change('', { ...draft, severity, threshold, threshold_max, recovery_threshold, thresholds: null });
    }
  };
  return (
    <>
      {levels.map((_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the path of the field
        <fieldset key={place} className={styles['level']}>
          <legend>Threshold {place + 1}</legend>
          <SeverityField path={`/thresholds/${place}/severity`} />
          <NumberField path={`/thresholds/${place}/threshold`} label="Threshold" unit={unit} />
          {CONDITION_FACTS[condition]?.isRange && (
            <NumberField path={`/thresholds/${place}/threshold_max`} label="Upper limit" unit={unit} />
          )}
          {condition in CONDITION_FACTS && hasDirection(condition) && (
            <NumberField path={`/thresholds/${place}/recovery_threshold`} label="Clears at" unit={unit} />
          )}
          <NumberField
            path={`/thresholds/${place}/duration_minutes`}
            label="For"
            unit="min"
            help="Empty: as long as the rule says."
          />
          <Button onClick={() => remove(place)}>Remove this threshold</Button>
        </fieldset>
      ))}
      {levels.length < SEVERITIES.length && (
        <button
          type="button"
          className={styles['add']}
          onClick={() => {
            const used = levels.map(({ severity }) => severity);
            const severity = SEVERITIES.find((each) => !used.includes(each)) ?? 'info';
            change('/thresholds', [...levels, { severity, threshold: null }]);
          }}
        >
          + another threshold
        </button>
      )}
      <Faults path="/thresholds" />
    </>
  );
}
