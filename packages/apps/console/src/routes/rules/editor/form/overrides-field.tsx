import { CONDITION_FACTS, type Condition, hasDirection } from '@tidewatch/contracts/rules/condition';
import { Button } from '../../../../components/button.tsx';
import { Field, NumberField, PatternsField, SelectField, TagsField } from '../../../../form/fields.tsx';
import { useForm } from '../../../../form/form-state.ts';
import styles from '../editor.module.css';
import { PartsFields } from './parts-fields.tsx';

const SEVERITY_OPTIONS = [
  ['', 'as the rule has it'],
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['info', 'info'],
] as const;

/** Exceptions for some hosts or parts: the first that matches counts. What is empty is as the rule has it. */
export function OverridesField({ unit, metric }: { unit: string; metric: string }) {
  const { draft, change } = useForm();
  const overrides = (draft['overrides'] as Record<string, unknown>[] | undefined) ?? [];
  const condition = draft['condition'] as Condition;
  return (
    <>
      {overrides.map((override, place) => {
        const path = `/overrides/${place}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the path of the field
          <fieldset key={place} className={styles['level']}>
            <legend>Exception {place + 1}</legend>
            <PatternsField path={`${path}/match/hosts`} label="Hosts" />
            <TagsField path={`${path}/match/tags`} label="Tags" />
            <PartsFields path={`${path}/match`} metric={metric} selector={override['match']} />
            <label className={styles['check']}>
              <input
                type="checkbox"
                checked={override['enabled'] === false}
                onChange={({ target }) => change(`${path}/enabled`, !target.checked)}
              />
              The rule leaves these out
            </label>
            {override['enabled'] !== false && (
              <>
                {Array.isArray(override['thresholds']) ? (
                  <p className={styles['help']}>
                    The exception has {override['thresholds'].length} thresholds of its own, which stay as
                    they are.
                  </p>
                ) : (
                  <>
                    <NumberField path={`${path}/threshold`} label="Threshold" unit={unit} />
                    {CONDITION_FACTS[condition]?.isRange && (
                      <NumberField path={`${path}/threshold_max`} label="Upper limit" unit={unit} />
                    )}
                    {condition in CONDITION_FACTS && hasDirection(condition) && (
                      <NumberField path={`${path}/recovery_threshold`} label="Clears at" unit={unit} />
                    )}
                  </>
                )}
                <NumberField path={`${path}/duration_minutes`} label="For" unit="min" />
                <NumberField path={`${path}/keep_firing_minutes`} label="Clear for" unit="min" />
                <SelectField path={`${path}/severity`} label="Severity" options={SEVERITY_OPTIONS} />
              </>
            )}
            <Button
              onClick={() =>
                change(
                  '/overrides',
                  overrides.filter((_, each) => each !== place),
                )
              }
            >
              Remove this exception
            </Button>
          </fieldset>
        );
      })}
      <Field path="/overrides" label="Exceptions" ownsMembers={false}>
        {({ id }) => (
          <button
            id={id}
            type="button"
            className={styles['add']}
            onClick={() => change('/overrides', [...overrides, { match: {} }])}
          >
            + for some hosts or parts
          </button>
        )}
      </Field>
    </>
  );
}
