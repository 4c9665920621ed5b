import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

/** Why no cause is named. */
export const INCONCLUSIVE_REASONS = [
  'too_little_history',
  'nothing_unusual',
  'several_alike',
  'cause_not_seen',
] as const;

export type InconclusiveReason = (typeof INCONCLUSIVE_REASONS)[number];

const evidenceIds = z
  .array(idSchema('evd'))
  .meta({ description: 'What it rests on, in `evidence`.', examples: [[]] });

export const analysisSchema = z
  .object({
    summary: z.string().meta({
      examples: ['cpu_percent of web-01 rose from 22 to 96 at 14:31, when the process "stress" appeared.'],
    }),
    root_cause: z
      .string()
      .nullable()
      .meta({
        description: 'One sentence; null where the investigation is inconclusive.',
        examples: ['The process "stress" on web-01'],
      }),
    root_cause_finding_id: idSchema('fnd')
      .nullable()
      .meta({ description: 'The finding that is the cause; null where the investigation is inconclusive.' }),
    inconclusive_reason: z
      .enum(INCONCLUSIVE_REASONS)
      .nullable()
      .meta({
        description:
          'Why no cause is named: too little history to know what is usual, a metric that stayed as usual, several causes that are about as probable, or a cause that is not in what Tidewatch sees. Null where one is named, and in records of versions before this field.',
        examples: [null],
      }),
    details_markdown: z.string(),
    source: z.enum(['statistics', 'llm']).meta({
      description: 'Who worded it. Findings and conclusion are those of the statistics either way.',
    }),
    model: z.string().nullable().meta({ description: 'The model that worded it; null where none did.' }),
    model_status: z.enum(['not_configured', 'used', 'skipped', 'failed']).meta({
      description: '`skipped` by a limit, `failed` without an answer that could be used: see `model_reason`.',
    }),
    model_reason: z.string().nullable(),
    claims_dropped: z
      .int()
      .nonnegative()
      .meta({
        description: 'Claims of a model that cited no evidence, or evidence that does not exist.',
        examples: [0],
      }),
  })
  .meta({ id: 'Analysis', description: 'What it comes to, in words.' });

export type Analysis = z.infer<typeof analysisSchema>;

export const TIMELINE_TYPES = [
  'metric_shift',
  'pending',
  'fired',
  'resolved',
  'process_started',
  'container_restarted',
  'host_restarted',
  'host_silent',
  'change',
  'recurrence',
  'investigation_step',
] as const;

export const timelineEntrySchema = z
  .object({
    at: timestampSchema,
    type: z.enum(TIMELINE_TYPES),
    title: z.string().meta({ examples: ['cpu_percent of web-01 began to rise'] }),
    actor: z.enum(['system', 'detector', 'user', 'llm']).meta({ description: 'Who said or did it.' }),
    evidence_ids: evidenceIds,
  })
  .meta({ id: 'TimelineEntry', description: 'What happened, in order.' });

export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const recommendationSchema = z
  .object({
    priority: z.enum(['high', 'medium', 'low']),
    title: z.string().meta({ examples: ['Look at the process'] }),
    description: z.string().meta({ description: 'What it does, and how to see that it helped.' }),
    command: z
      .string()
      .nullable()
      .meta({
        description: 'Null where there is nothing to type.',
        examples: ['ps -C stress -o pid,pcpu,args'],
      }),
    risk: z.string().meta({
      description: 'Says so where the command destroys or interrupts something.',
      examples: ['None: it only reads.'],
    }),
    evidence_ids: evidenceIds,
  })
  .meta({ id: 'Recommendation', description: 'What to do.' });

export type Recommendation = z.infer<typeof recommendationSchema>;

const tally = (description: string) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [0] });

export const usageSchema = z
  .object({
    model_calls: tally('How often a model was asked.'),
    tool_calls: tally('How often a model asked for more data.'),
    input_tokens: tally('Tokens that models read.'),
    output_tokens: tally('Tokens that models wrote.'),
    seconds: z
      .number()
      .nonnegative()
      .meta({ description: 'How long the run took.', examples: [1.24] }),
  })
  .meta({ id: 'InvestigationUsage', description: 'What the investigation cost.' });

export type Usage = z.infer<typeof usageSchema>;

const MAX_ANSWER = 2_000;

const causeSchema = textSchema(0, MAX_ANSWER)
  .nullable()
  .meta({ description: 'What it was, in words; null where nothing is said.', examples: ['A backup job'] });

const commentSchema = textSchema(0, MAX_ANSWER).nullable();

export const FEEDBACK_EXAMPLE = {
  helpful: true,
  actual_root_cause: 'A backup job',
  comment: 'The process was named at once.',
};

/** The body of feedback on an investigation. */
export const feedbackInputSchema = z
  .strictObject({
    helpful: z.boolean().meta({ description: 'Whether it helped.' }),
    actual_root_cause: causeSchema.default(null),
    comment: commentSchema.default(null),
  })
  .meta({
    id: 'InvestigationFeedbackInput',
    description: 'What people say of an investigation.',
    examples: [FEEDBACK_EXAMPLE],
  });

export type FeedbackInput = z.output<typeof feedbackInputSchema>;

export const feedbackSchema = z
  .object({
    helpful: z.boolean(),
    actual_root_cause: causeSchema,
    comment: commentSchema,
    at: timestampSchema,
    by: actorSchema,
  })
  .meta({ id: 'InvestigationFeedback', description: 'What people said of an investigation, the last word.' });

export type Feedback = z.infer<typeof feedbackSchema>;
