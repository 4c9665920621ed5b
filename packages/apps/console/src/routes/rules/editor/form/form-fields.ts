import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';

/** The fields of a rule that the form has a control of its own for, or that its buttons set. Others stand under "Other". */
export const FORM_FIELDS: ReadonlySet<string> = new Set<keyof RuleDefinition>([
  'name',
  'description',
  'mode',
  'metric',
  'transform',
  'condition',
  'threshold',
  'threshold_max',
  'recovery_threshold',
  'duration_minutes',
  'keep_firing_minutes',
  'severity',
  'thresholds',
  'overrides',
  'scope',
  'no_data',
  'renotify_minutes',
  'channels',
  'runbook_url',
]);
