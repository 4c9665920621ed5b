import fc from 'fast-check';
import type { RuleDefinition } from '../rule.ts';
import { readRuleInput } from '../rule-input.ts';

const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
      fc.string({ unit: 'binary', minLength: 1, maxLength }),
    )
    .filter((each) => each.isWellFormed() && !each.includes('\0') && [...each].length <= maxLength);
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0);
const minutes = fc.integer({ min: 1, max: 1_440 });
const severity = fc.constantFrom('critical', 'warning', 'info');
const pattern = text(20);
const selector = fc.record(
  {
    hosts: fc.array(pattern, { maxLength: 3 }),
    tags: fc.dictionary(text(20), fc.oneof(pattern, fc.array(pattern, { maxLength: 2 })), { maxKeys: 3 }),
  },
  { requiredKeys: [] },
);
const levels = fc.uniqueArray(
  fc.record({ severity, threshold: number, duration_minutes: optional(minutes) }),
  {
    selector: (level) => level.severity,
    minLength: 1,
    maxLength: 3,
  },
);
const override = fc.record({
  match: selector,
  enabled: fc.boolean(),
  threshold: optional(number),
  keep_firing_minutes: optional(minutes),
  severity: optional(severity),
});

/** Generates definitions of all kinds, with texts and numbers that are hard to write in YAML or JSON. */
export const ruleDefinitions: fc.Arbitrary<RuleDefinition> = fc
  .record({
    rule: fc.record({
      external_id: text(50),
      name: text(50),
      description: optional(fc.oneof(text(100), fc.constant(''), fc.lorem({ maxCount: 40 }))),
      enabled: fc.boolean(),
      mode: fc.constantFrom('active', 'shadow'),
      metric: fc.constantFrom('cpu_percent', 'yes', '1_000', '0x1f', 'null', '~', '- a', '#', '__proto__'),
      transform: optional(fc.record({ kind: fc.constantFrom('average', 'change'), over_minutes: minutes })),
      condition: fc.constantFrom('greater_than', 'equal'),
      duration_minutes: minutes,
      overrides: fc.array(override, { maxLength: 3 }),
      scope: selector,
      no_data: fc.record({
        policy: fc.constantFrom('keep_state', 'alert', 'resolve'),
        after_minutes: minutes,
      }),
      renotify_minutes: optional(minutes),
      channels: fc.subarray(['slack', 'email', 'webhook', 'pagerduty']),
      severity,
    }),
    limits: fc.oneof(fc.record({ threshold: number }), fc.record({ thresholds: levels })),
  })
  .map(({ rule, limits }) => readRuleInput({ ...rule, ...limits }))
  .filter((read) => 'rule' in read)
  .map(({ rule }) => rule);
