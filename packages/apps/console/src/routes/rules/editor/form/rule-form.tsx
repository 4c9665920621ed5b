import { useQuery } from '@tanstack/react-query';
import { pages } from '@tidewatch/api-client/pages';
import { CONDITION_FACTS, type Condition, hasDirection } from '@tidewatch/contracts/rules/condition';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { api } from '../../../../api/client.ts';
import { NumberField, PatternsField, SelectField, TagsField, TextField } from '../../../../form/fields.tsx';
import { useForm } from '../../../../form/form-state.ts';
import styles from '../editor.module.css';
import { ChannelsField } from './channels-field.tsx';
import { CONDITION_WORDS, HELP, unitText } from './editor-texts.ts';
import { LevelsField, SeverityField } from './levels-field.tsx';
import { OtherFields } from './other-fields.tsx';
import { OverridesField } from './overrides-field.tsx';
import { PartsFields } from './parts-fields.tsx';
import { TransformField } from './transform-field.tsx';

/** The fields of a rule in the order in which people think of them. */
export function RuleForm() {
  const { draft, change } = useForm();
  const condition = draft['condition'] as Condition;
  const metric = String(draft['metric'] ?? '');
  const unit = unitText(unitOf(metric));
  const hasLevels = Array.isArray(draft['thresholds']);
  const { data: metrics = [] } = useQuery({
    queryKey: ['metric-names'],
    staleTime: 60_000,
    queryFn: readMetricNames,
  });
  return (
    <div className={styles['form']}>
      <TextField path="/name" label="Name" />
      <TextField path="/metric" label="Metric" list="rule-metrics" />
      <datalist id="rule-metrics">
        {metrics.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TransformField />
      <SelectField path="/condition" label="When it" options={CONDITION_WORDS} />
      {hasLevels ? (
        <LevelsField unit={unit} />
      ) : (
        <>
          <NumberField path="/threshold" label="Threshold" unit={unit} />
          {CONDITION_FACTS[condition]?.isRange && (
            <NumberField path="/threshold_max" label="Upper limit" unit={unit} />
          )}
          {condition in CONDITION_FACTS && hasDirection(condition) && (
            <NumberField path="/recovery_threshold" label="Clears at" unit={unit} help={HELP.recovery} />
          )}
          <SeverityField path="/severity" />
          <button
            type="button"
            className={styles['add']}
            onClick={() => {
              const { threshold = null, threshold_max = null, recovery_threshold = null, severity } = draft;
              change('', {
                ...draft,
                threshold: null,
                threshold_max: null,
                recovery_threshold: null,
                thresholds: [
                  { severity, threshold, threshold_max, recovery_threshold, duration_minutes: null },
                  {
                    severity: severity === 'critical' ? 'warning' : 'critical',
                    threshold: null,
                    threshold_max,
                    recovery_threshold: null,
                    duration_minutes: null,
                  },
                ],
              });
            }}
          >
            + another threshold
          </button>
        </>
      )}
      <NumberField path="/duration_minutes" label="For" unit="min" />
      <NumberField path="/keep_firing_minutes" label="Clear for" unit="min" help={HELP.keepFiring} />
      <PatternsField path="/scope/hosts" label="Hosts" help={HELP.hosts} />
      <TagsField path="/scope/tags" label="Tags" help={HELP.tags} />
      <PartsFields path="/scope" metric={metric} selector={draft['scope']} />
      <OverridesField unit={unit} metric={metric} />
      <ChannelsField />
      <NumberField path="/renotify_minutes" label="Repeat every" unit="min" help={HELP.repeat} />
      <SelectField
        path="/no_data/policy"
        label="Without data"
        options={[
          ['keep_state', 'keep the state'],
          ['alert', 'fire an alert'],
          ['resolve', 'resolve the alert'],
        ]}
      />
      <NumberField path="/no_data/after_minutes" label="after" unit="min" />
      <TextField path="/description" label="Description" isLong isNullable />
      <TextField path="/runbook_url" label="Runbook" isNullable help={HELP.runbook} />
      <OtherFields />
    </div>
  );
}

async function readMetricNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { entries } of pages(api, '/api/v1/metrics', 'metrics', { limit: 100 })) {
    names.push(...entries.map(({ name }) => name));
    if (names.length >= 1_000) break;
  }
  return names;
}
