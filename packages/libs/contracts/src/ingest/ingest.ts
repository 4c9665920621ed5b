import { z } from 'zod';
import { idSchema } from '../values/id.ts';
import { faultSchema } from '../values/problem.ts';

const receiptSchema = z
  .object({
    id: idSchema('rcp'),
    records: z
      .array(
        z.object({
          topic: z
            .string()
            .optional()
            .meta({ examples: ['tidewatch.samples'] }),
          partition: z.int().optional(),
          offset: z.string().optional(),
          transaction: z
            .string()
            .optional()
            .meta({ description: 'The database transaction that stored the payloads.', examples: ['88123'] }),
        }),
      )
      .meta({ description: 'Where the payloads were made durable.' }),
  })
  .meta({
    id: 'IngestReceipt',
    description: 'With `Prefer: return=representation`: where the payloads went.',
  });

/** The answer of ingest; the optional members come only when `Prefer` asked for them. */
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
    receipt: receiptSchema.optional(),
  })
  .meta({
    id: 'IngestAnswer',
    description: 'What became of the payloads.',
    examples: [{ status: 'ok', events_accepted: 3 }],
  });

export type IngestAnswer = z.infer<typeof ingestAnswerSchema>;
