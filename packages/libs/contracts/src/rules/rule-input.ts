import { z } from 'zod';
import type { Fault } from '../problems/problem.ts';
import { MAX_FAULTS, toFaults } from '../problems/validation.ts';
import { isId } from '../values/id.ts';
import { mergePatch } from '../values/merge-patch.ts';
import { MAX_CHANNELS, type RuleDefinition, ruleFields } from './rule.ts';
import { checkTogether } from './rule-consistency.ts';
import { RULE_CONSISTENCY } from './rule-consistency-schema.ts';

const EXAMPLE = {
  name: 'CPU is busy',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
  severity: 'warning',
  channels: ['slack', 'email'],
};

/** The body of a new rule, parsed to a RuleDefinition. Checks every field, then how they fit together. */
export const ruleInputSchema = z
  .strictObject(ruleFields)
  .superRefine(checkTogether, {
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .meta({
    id: 'RuleInput',
    description: 'A rule as it is created.',
    examples: [EXAMPLE],
    override: { allOf: RULE_CONSISTENCY },
  });

export type RuleInput = z.input<typeof ruleInputSchema>;

/** The body of a change, a JSON merge patch of a rule, for the API document; `applyRulePatch` validates the result. */
export const rulePatchSchema = z.strictObject(patchFields()).meta({
  id: 'RulePatch',
  description: 'A JSON merge patch (RFC 7396): null sets an optional field back to its default.',
  examples: [{ threshold: 95, description: null }],
});

/** Fields of a stored rule that the server sets. */
export const READ_ONLY_RULE_FIELDS = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'state',
  'firing_count',
  'pending',
  'last_evaluated_at',
  'warnings',
] as const;

/**
 * Reads the body of a new rule; returns its definition or its faults. `knownChannels` are the ids of the organization's
 * channels.
 */
export function readRuleInput(
  input: unknown,
  knownChannels: ReadonlySet<string> = NO_CHANNELS,
): { rule: RuleDefinition } | { errors: Fault[] } {
  const result = ruleInputSchema.safeParse(input);
  const faults = result.success ? [] : toFaults(result.error, 'body', input, ruleInputSchema).map(readOnly);
  faults.push(...unknownChannels(input, knownChannels));
  if (faults.length > 0 || !result.success) return { errors: faults.slice(0, MAX_FAULTS) };
  return { rule: result.data as RuleDefinition };
}

/**
 * Applies a JSON merge patch to a rule; returns the changed definition, or the faults of the patch or of its result. Null
 * resets an optional field to its default; fields that the server sets are faults.
 */
export function applyRulePatch(
  rule: RuleDefinition,
  patch: unknown,
  knownChannels: ReadonlySet<string> = NO_CHANNELS,
): { rule: RuleDefinition } | { errors: Fault[] } {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    return readRuleInput(patch, knownChannels);
  const removals = Object.keys(patch).filter(
    (key) => !Object.hasOwn(ruleFields, key) && (patch as Record<string, unknown>)[key] === null,
  );
  const merged = mergePatch(rule, patch) as Record<string, unknown>;
  for (const key of removals)
    Object.defineProperty(merged, key, { value: null, enumerable: true, configurable: true });
  return readRuleInput(merged, knownChannels);
}

const NO_CHANNELS: ReadonlySet<string> = new Set();

function unknownChannels(input: unknown, known: ReadonlySet<string>): Fault[] {
  const channels = (input as { channels?: unknown } | null | undefined)?.channels;
  if (!Array.isArray(channels) || channels.length > MAX_CHANNELS) return [];
  return channels.flatMap((channel, index) => {
    if (typeof channel !== 'string' || !isId('chn', channel) || known.has(channel)) return [];
    return [
      {
        in: 'body' as const,
        path: `/channels/${index}`,
        code: 'unknown_channel',
        message: 'No channel has this id.',
      },
    ];
  });
}

function readOnly(fault: Fault): Fault {
  const isReadOnly =
    fault.code === 'unknown_field' &&
    (READ_ONLY_RULE_FIELDS as readonly string[]).includes(fault.path.slice(1));
  return isReadOnly ? { ...fault, code: 'read_only', message: 'Is set by the server.' } : fault;
}

/** The fields of a rule in a patch: none is required, and null is allowed for those with a default. */
function patchFields(): Record<string, z.ZodType> {
  const fields: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(ruleFields)) {
    if (!(field instanceof z.ZodDefault)) {
      fields[name] = field.optional();
      continue;
    }
    const inner = field.unwrap();
    const clearable = inner instanceof z.ZodNullable ? inner : inner.nullable();
    fields[name] = clearable.optional().meta({ ...field.meta(), id: undefined });
  }
  return fields;
}
