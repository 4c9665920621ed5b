import { z } from 'zod';
import { faultSchema } from '../problems/problem.ts';
import { ingestWarningSchema, MAX_WARNINGS } from './ingest-warning.ts';
import { receiptSchema } from './receipt.ts';

/** The response of ingest; optional fields are present only if the header `Prefer` requests them. */
export const ingestAnswerSchema = z
  .object({
    status: z.literal('ok').meta({ description: 'Every accepted payload is durable.' }),
    events_accepted: z
      .int()
      .nonnegative()
      .meta({ description: 'Number of payloads accepted.', examples: [3] }),
    events_rejected: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'With `Prefer: handling=lenient`: number of payloads refused.', examples: [0] }),
    errors: z
      .array(faultSchema.pick({ path: true, code: true, message: true }))
      .optional()
      .meta({
        description:
          'With `Prefer: handling=lenient`: the faults of the refused payloads, at most a hundred.',
      }),
    warnings: z.array(ingestWarningSchema).max(MAX_WARNINGS).optional().meta({
      description:
        'With `Prefer: warnings`: what of the payloads is ignored, at most twenty; empty where nothing is.',
    }),
    receipt: receiptSchema.optional(),
  })
  .meta({
    id: 'IngestAnswer',
    description: 'What became of the payloads.',
    examples: [{ status: 'ok', events_accepted: 1 }],
  });

export type IngestAnswer = z.infer<typeof ingestAnswerSchema>;
