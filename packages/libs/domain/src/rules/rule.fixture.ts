import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { type CompiledRule, compileRule } from './rule.ts';

/** A compiled rule for tests. */
export function ruleOf(fields: Partial<RuleDefinition> = {}): CompiledRule {
  return compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition: definitionOf(fields) });
}
