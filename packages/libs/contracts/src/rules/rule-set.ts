import { z } from 'zod';
import type { Fault } from '../problems/problem.ts';
import { MAX_FAULTS, toFaults } from '../problems/validation.ts';
import { idSchema } from '../values/id.ts';
import { type RuleDefinition, ruleFields } from './rule.ts';
import { checkTogether } from './rule-consistency.ts';
import { RULE_CONSISTENCY } from './rule-consistency-schema.ts';
import { readRuleInput } from './rule-input.ts';

/** The max number of rules in one request. */
export const MAX_RULES_OF_A_SET = 1_000;

/** A rule of a set, with the external id by which the set identifies it. */
export type NamedRule = RuleDefinition & { external_id: string };

/** The complete set of rules of an organization. */
export interface RuleSet {
  rules: NamedRule[];
  /** Whether rules that have an external id and are not in the set are deleted. */
  prune: boolean;
  /** Whether the request only computes the response and stores nothing. */
  dryRun: boolean;
}

const setOptions = {
  prune: z.boolean().default(false).meta({
    description:
      'Deletes the rules that have an external id and are not in `rules`; never those without one.',
  }),
  dry_run: z.boolean().default(false).meta({ description: 'Answers what would happen and changes nothing.' }),
};

/** Checks only the outer form: each rule is read separately, so that its faults are those of a single rule. */
const envelopeSchema = z.strictObject({
  rules: z.array(z.unknown()).max(MAX_RULES_OF_A_SET),
  ...setOptions,
});

const EXAMPLE = {
  rules: [
    {
      external_id: 'cpu-high',
      name: 'CPU is busy',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
    },
  ],
};

/** A rule in a set, for the API document; `readRuleSet` validates it. */
const namedRuleSchema = z
  .strictObject({
    ...ruleFields,
    external_id: ruleFields.external_id
      .unwrap()
      .unwrap()
      .meta({
        description:
          'By what the rule is known when the set is sent again; or the id of a rule without an external id, which it then gets.',
        examples: ['cpu-high'],
      }),
  })
  .superRefine(checkTogether)
  .meta({
    id: 'NamedRule',
    description: 'A rule of a set. It needs an external id.',
    override: { allOf: RULE_CONSISTENCY },
  });

export const ruleSetSchema = z
  .strictObject({ rules: z.array(namedRuleSchema).max(MAX_RULES_OF_A_SET), ...setOptions })
  .meta({ id: 'RuleSet', description: 'Rules as one document.', examples: [EXAMPLE] });

/** All rules as one document. Fields with default values are omitted, so that only the required fields are certain. */
export const ruleExportSchema = z
  .object({ rules: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: 'RuleExport', description: 'A RuleSet of all rules.', examples: [EXAMPLE] });

const notPaged = z
  .custom<undefined>((value) => value === undefined, {
    params: { code: 'not_allowed' },
    message: 'Must not come with a format: an export is not paged.',
  })
  .optional();

/** The result of applying a set: the ids of its rules, in the order of the set. */
export const ruleSetChangesSchema = z
  .object({
    created: z.array(idSchema('rul')).meta({
      description: 'Rules that were not there. Of a dry run the ids are made up and name nothing.',
    }),
    updated: z.array(idSchema('rul')).meta({ description: 'Rules that were otherwise.' }),
    unchanged: z.array(idSchema('rul')).meta({ description: 'Rules that were so already.' }),
    deleted: z.array(idSchema('rul')).meta({ description: 'Rules that `prune` took away, oldest first.' }),
  })
  .meta({
    id: 'RuleSetChanges',
    description: 'What a set of rules changed.',
    examples: [
      { created: ['rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c'], updated: [], unchanged: [], deleted: [] },
    ],
  });

export type RuleSetChanges = z.output<typeof ruleSetChangesSchema>;

/** The query of the export of all rules, which has no pages. */
export const ruleExportQuerySchema = z.object({
  format: z
    .enum(['yaml', 'json'])
    .meta({ description: 'Answers all rules as one document, which `PUT` takes.', examples: ['yaml'] }),
  limit: notPaged,
  offset: notPaged,
  cursor: notPaged,
});

export interface RuleSetReading {
  /** The ids of the organization's channels. */
  knownChannels?: ReadonlySet<string>;
  /** Awaited between some rules, because reading a thousand rules takes a tenth of a second. */
  pause?: () => Promise<unknown>;
}

const RULES_BETWEEN_PAUSES = 50;

/**
 * Reads the body of a rule set; returns the set or its faults, at most a hundred, with paths such as `/rules/3/threshold`.
 */
export async function readRuleSet(
  input: unknown,
  { knownChannels, pause }: RuleSetReading = {},
): Promise<{ set: RuleSet } | { errors: Fault[] }> {
  const result = envelopeSchema.safeParse(input);
  const faults = result.success ? [] : toFaults(result.error, 'body', input);
  const rules: NamedRule[] = [];
  for (const [index, each] of rulesOf(input).entries()) {
    if (index % RULES_BETWEEN_PAUSES === RULES_BETWEEN_PAUSES - 1) await pause?.();
    const read = readNamedRule(each, knownChannels);
    if ('rule' in read) rules.push(read.rule);
    else faults.push(...read.errors.map((fault) => ({ ...fault, path: `/rules/${index}${fault.path}` })));
    if (faults.length >= MAX_FAULTS) break;
  }
  faults.push(...repeated(rulesOf(input)));
  if (faults.length > 0 || !result.success) return { errors: faults.slice(0, MAX_FAULTS) };
  return { set: { rules, prune: result.data.prune, dryRun: result.data.dry_run } };
}

function rulesOf(input: unknown): unknown[] {
  const rules = (input as { rules?: unknown } | null | undefined)?.rules;
  return Array.isArray(rules) && rules.length <= MAX_RULES_OF_A_SET ? rules : [];
}

function readNamedRule(
  input: unknown,
  knownChannels?: ReadonlySet<string>,
): { rule: NamedRule } | { errors: Fault[] } {
  const read = readRuleInput(input, knownChannels);
  if ('rule' in read && read.rule.external_id !== null)
    return { rule: { ...read.rule, external_id: read.rule.external_id } };
  const errors = 'errors' in read ? read.errors : [];
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (isObject && externalIdOf(input) == null)
    errors.push({ in: 'body', path: '/external_id', code: 'required', message: 'Is required.' });
  return { errors };
}

/** The faults of external ids that occur a second time in the set. */
function repeated(rules: readonly unknown[]): Fault[] {
  const seen = new Set<unknown>();
  return rules.flatMap((rule, index): Fault[] => {
    const id = externalIdOf(rule);
    const isRepeated = typeof id === 'string' && seen.has(id);
    seen.add(id);
    if (!isRepeated) return [];
    const path = `/rules/${index}/external_id`;
    return [{ in: 'body', path, code: 'duplicate', message: 'Stands for another rule of the set already.' }];
  });
}

function externalIdOf(rule: unknown): unknown {
  return (rule as { external_id?: unknown } | null | undefined)?.external_id;
}
