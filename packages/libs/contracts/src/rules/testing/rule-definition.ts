import type { Severity } from '../../values/severity.ts';
import type { RuleDefinition } from '../rule.ts';
import type { Level } from '../rule-terms.ts';

/** The default values of a rule's fields. */
export const RULE_DEFAULTS = {
  description: null,
  enabled: true,
  mode: 'active',
  transform: null,
  threshold_max: null,
  recovery_threshold: null,
  duration_minutes: 5,
  keep_firing_minutes: 0,
  severity: 'warning',
  thresholds: null,
  overrides: [],
  scope: {},
  no_data: { policy: 'keep_state', after_minutes: 10 },
  renotify_minutes: null,
  channels: [],
  runbook_url: null,
  external_id: null,
} as const satisfies Partial<RuleDefinition>;

/** A valid definition, `cpu_percent greater_than 90` for five minutes, with the fields that a test overrides. */
export function definitionOf(fields: Partial<RuleDefinition> = {}): RuleDefinition {
  return {
    ...RULE_DEFAULTS,
    name: 'CPU is busy',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    overrides: [],
    channels: [],
    ...fields,
  };
}

/** One of several thresholds of a rule; what a test leaves out is as the rule has it. */
export function levelOf(severity: Severity, threshold: number, fields: Partial<Level> = {}): Level {
  return {
    severity,
    threshold,
    threshold_max: null,
    recovery_threshold: null,
    duration_minutes: null,
    ...fields,
  };
}

/** An override for every host; what a test leaves out is as the rule has it. */
export function overrideOf(
  fields: Partial<RuleDefinition['overrides'][number]>,
): RuleDefinition['overrides'][number] {
  return {
    match: {},
    enabled: true,
    threshold: null,
    threshold_max: null,
    recovery_threshold: null,
    duration_minutes: null,
    keep_firing_minutes: null,
    severity: null,
    thresholds: null,
    ...fields,
  };
}
