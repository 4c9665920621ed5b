import type { RuleDefinition } from '@tidewatch/contracts/rule';
import { type CompiledRule, compileRule } from './rule.ts';

/** A valid definition: `cpu_percent greater_than 90`, five minutes; `fields` replace what a test is about. */
export function definitionOf(fields: Partial<RuleDefinition> = {}): RuleDefinition {
  return {
    name: 'CPU is busy',
    description: null,
    enabled: true,
    mode: 'active',
    metric: 'cpu_percent',
    transform: null,
    condition: 'greater_than',
    threshold: 90,
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
    ...fields,
  };
}

/** A compiled rule for tests. */
export function ruleOf(fields: Partial<RuleDefinition> = {}): CompiledRule {
  return compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition: definitionOf(fields) });
}
