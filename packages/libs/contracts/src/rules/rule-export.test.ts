import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../values/id.ts';
import type { RuleDefinition } from './rule.ts';
import { exportRule } from './rule-export.ts';
import { readRuleInput } from './rule-input.ts';
import { definitionOf, overrideOf } from './testing/rule-definition.ts';
import { ruleDefinitions } from './testing/rule-definitions.ts';

it('an exported rule omits fields with default values', () => {
  const definition = definitionOf({
    external_id: 'cpu',
    no_data: { policy: 'resolve', after_minutes: 10 },
    overrides: [overrideOf({ threshold: 95 })],
  });
  expect(exportRule(newId('rul'), definition)).toEqual({
    external_id: 'cpu',
    name: 'CPU is busy',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    overrides: [{ match: {}, threshold: 95 }],
    no_data: { policy: 'resolve' },
  });
});

it('an exported rule without an external id has its id in place of it', () => {
  const id = newId('rul');
  expect(exportRule(id, definitionOf())).toMatchObject({ external_id: id });
});

it('an exported rule is parsed to the same definition, for any rule', () => {
  fc.assert(
    fc.property(ruleDefinitions, (definition: RuleDefinition) => {
      expect(readRuleInput(exportRule('rul_1', definition))).toEqual({ rule: definition });
    }),
  );
});
