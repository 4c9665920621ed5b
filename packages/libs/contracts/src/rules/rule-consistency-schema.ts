import { CONDITION_FACTS, CONDITIONS, hasDirection } from './condition.ts';
import { PROCESS_METRICS } from './rule-consistency.ts';
import { PROCESS_COUNT, SILENT_MINUTES } from './rule-metric.ts';

const NULL = { type: 'null' };

const conditionsWith = (isRange: boolean, isDirected: boolean) =>
  CONDITIONS.filter((each) => CONDITION_FACTS[each].isRange === isRange && hasDirection(each) === isDirected);

/** The further fields that each condition requires. */
const LIMITS = [
  {
    conditions: conditionsWith(true, false),
    limit: {
      properties: { threshold_max: { type: 'number' }, recovery_threshold: NULL },
      required: ['threshold_max'],
    },
  },
  {
    conditions: conditionsWith(false, false),
    limit: { properties: { threshold_max: NULL, recovery_threshold: NULL } },
  },
  { conditions: conditionsWith(false, true), limit: { properties: { threshold_max: NULL } } },
];

const HAS_LEVELS = { properties: { thresholds: { type: 'array' } }, required: ['thresholds'] };

const isMetric = (metric: object) => ({ properties: { metric }, required: ['metric'] });
const onlyPolicies = (policies: readonly string[]) => ({
  properties: { no_data: { properties: { policy: { enum: policies } } } },
});

/**
 * The checks of `checkTogether` that JSON Schema can express, for the API document. It can neither compare two numbers nor
 * check the result of overrides. Which keys of selectors go with which metric is left to their descriptions: with one more
 * condition on the metric, tools that generate requests find the schema too complex.
 */
export const RULE_CONSISTENCY: object[] = [
  {
    if: HAS_LEVELS,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { threshold: NULL, threshold_max: NULL, recovery_threshold: NULL } },
    else: { properties: { threshold: { type: 'number' } }, required: ['threshold'] },
  },
  ...LIMITS.map(({ conditions, limit }) => ({
    if: { properties: { condition: { enum: conditions } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      if: HAS_LEVELS,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { thresholds: { items: limit } } },
      else: limit,
    },
  })),
  {
    properties: {
      metric: {
        anyOf: [
          { enum: [SILENT_MINUTES, ...PROCESS_METRICS] },
          { not: { pattern: '^host\\.|^process\\.|^container\\.$' } },
        ],
      },
    },
  },
  {
    if: isMetric({ const: SILENT_MINUTES }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { transform: NULL, ...onlyPolicies(['keep_state']).properties } },
  },
  {
    if: isMetric({ pattern: '^(?:container|process)\\.' }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: onlyPolicies(['keep_state', 'resolve']),
  },
  {
    if: isMetric({ const: PROCESS_COUNT }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { scope: { required: ['process'], properties: { process: { minItems: 1 } } } },
      required: ['scope'],
    },
  },
];
