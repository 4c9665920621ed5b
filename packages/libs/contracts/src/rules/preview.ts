import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { tierSchema } from '../services/series.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { severitySchema } from '../values/severity.ts';
import { subjectSchema } from '../values/subject.ts';
import { CONDITION_FACTS, CONDITIONS } from './condition.ts';
import { type RuleDefinition, ruleFields, ruleWarningSchema } from './rule.ts';
import { ruleInputSchema } from './rule-input.ts';
import { PROCESS_COUNT, SILENT_MINUTES } from './rule-metric.ts';

/** The max number of alerts in the response to a preview; `alerts_total` counts all. */
export const MAX_PREVIEWED_ALERTS = 500;
const MAX_THRESHOLDS = 20;
const MAX_DURATIONS = 10;

const durationSchema = ruleFields.duration_minutes.unwrap();

/** The body of a preview. Parsed times are ms. */
export const previewInputSchema = z
  .strictObject({
    rule: ruleInputSchema,
    from: timestampInputSchema.optional().meta({
      description: 'Where to begin; 7 days before `to` unless given. What is no longer kept is left out.',
    }),
    to: timestampInputSchema
      .optional()
      .meta({ description: 'Where to end, itself not included; now unless given, and at most now.' }),
    thresholds: z
      .array(z.number())
      .min(1)
      .max(MAX_THRESHOLDS)
      .optional()
      .meta({
        description: "Thresholds to compare in the curve; the rule's own where only `durations` is given.",
        examples: [[80, 90]],
      }),
    durations: z
      .array(durationSchema)
      .min(1)
      .max(MAX_DURATIONS)
      .optional()
      .meta({
        description: "Minutes to compare in the curve; the rule's own where only `thresholds` is given.",
        examples: [[1, 5]],
      }),
  })
  .superRefine(checkPreview, {
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .meta({ id: 'PreviewInput', description: 'A rule to be tried on what is stored.' });

export interface PreviewInput {
  rule: RuleDefinition;
  from?: number;
  to?: number;
  thresholds?: number[];
  durations?: number[];
}

export const previewedAlertSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    subject: subjectSchema,
    severity: severitySchema,
    pending_since: timestampSchema,
    fired_at: timestampSchema,
    resolved_at: timestampSchema.nullable().meta({ description: 'Null where it was still active at `to`.' }),
    peak_value: z.number().meta({ examples: [97.5] }),
  })
  .meta({ id: 'PreviewedAlert', description: 'An alert that there would have been.' });

export type PreviewedAlert = z.output<typeof previewedAlertSchema>;

const curvePointSchema = z
  .object({
    threshold: z.number().meta({ examples: [90] }),
    duration_minutes: z.int().meta({ examples: [5] }),
    alerts: z
      .int()
      .nonnegative()
      .meta({ examples: [12] }),
    alerts_per_week: z
      .number()
      .nonnegative()
      .meta({ examples: [12] }),
  })
  .meta({
    id: 'PreviewCurvePoint',
    description: 'How many alerts one threshold and duration would have made.',
  });

/** The answer to a preview. */
export const previewSchema = z
  .object({
    from: timestampSchema.meta({
      description: 'When the evaluation begins: at the requested time, or at the oldest data that are kept.',
    }),
    to: timestampSchema,
    tier: tierSchema
      .extract(['raw', '1m'])
      .meta({ description: 'What was evaluated: samples, or their minutes.' }),
    approximate: z
      .boolean()
      .meta({ description: 'Whether minutes stand for the samples in them.', examples: [false] }),
    services_evaluated: z
      .int()
      .nonnegative()
      .meta({ description: 'How many services have data that the rule evaluates.', examples: [12] }),
    alerts: z
      .array(previewedAlertSchema)
      .max(MAX_PREVIEWED_ALERTS)
      .meta({ description: `By the time they fired, newest first; at most ${MAX_PREVIEWED_ALERTS}.` }),
    alerts_total: z
      .int()
      .nonnegative()
      .meta({ examples: [3] }),
    curve: z
      .array(curvePointSchema)
      .meta({ description: 'For each threshold each duration; empty where neither was asked for.' }),
    warnings: z
      .array(ruleWarningSchema)
      .meta({ description: 'What the answer of the rule would warn of, were it created.' }),
  })
  .meta({ id: 'Preview', description: 'What a rule would have done.' });

export type Preview = z.output<typeof previewSchema>;

/** Checks of several fields of a preview together; each is skipped if one of its fields is faulty. */
function checkPreview(input: Record<string, unknown>, context: z.RefinementCtx): void {
  const add = (path: PropertyKey[], code: string, message: string) => addFault(context, code, message, path);
  const { rule, thresholds, durations } = input;
  if (typeof rule !== 'object' || rule === null) return;
  const {
    metric,
    thresholds: levels,
    condition,
    threshold_max: most,
    no_data,
  } = rule as Record<string, unknown>;
  if (metric === SILENT_MINUTES)
    add(
      ['rule', 'metric'],
      'unsupported',
      'For how long a host was silent is not stored and cannot be tried.',
    );
  if (metric === PROCESS_COUNT)
    add(
      ['rule', 'metric'],
      'unsupported',
      'How many processes of a name ran is not stored and cannot be tried.',
    );
  const policy = (no_data as { policy?: unknown } | null | undefined)?.policy ?? 'keep_state';
  if (policy !== 'keep_state')
    add(
      ['rule', 'no_data', 'policy'],
      'unsupported',
      'How far the pipeline was when data stayed away is not stored, so only keep_state can be tried.',
    );
  for (const [name, candidates] of Object.entries({ thresholds, durations })) {
    if (candidates !== undefined && Array.isArray(levels))
      add([name], 'not_allowed', 'Must be left out where the rule has several thresholds.');
  }
  const isRange = CONDITIONS.some((each) => each === condition && CONDITION_FACTS[each].isRange);
  if (!isRange || typeof most !== 'number' || !Array.isArray(thresholds)) return;
  for (const [index, threshold] of thresholds.entries()) {
    if (typeof threshold === 'number' && threshold > most)
      add(['thresholds', index], 'out_of_range', "Must not be more than the rule's threshold_max.");
  }
}
