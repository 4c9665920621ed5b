import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';

/** The place where accepted payloads are stored; which fields are set depends on the topology. */
const place = {
  topic: z
    .string()
    .optional()
    .meta({
      description: 'Topic of Kafka, in the distributed topology; `partition` and `offset` with it.',
      examples: ['tidewatch.samples'],
    }),
  partition: z.int().optional(),
  offset: z
    .string()
    .optional()
    .meta({ examples: ['1042'] }),
  transaction: z
    .string()
    .optional()
    .meta({
      description: 'In one process, instead: the database transaction that stored the payloads.',
      examples: ['88123'],
    }),
};

export const receiptSchema = z
  .object({
    id: idSchema('rcp'),
    records: z.array(z.object(place)).meta({ description: 'Where the payloads were made durable.' }),
  })
  .meta({
    id: 'IngestReceipt',
    description: 'With `Prefer: return=representation`: where the payloads went.',
  });

export const tracedReceiptSchema = z
  .object({
    id: idSchema('rcp'),
    accepted_at: timestampSchema.meta({ description: 'When the payloads were durable.' }),
    records: z.array(
      z.object({
        ...place,
        stored_at: timestampSchema
          .nullable()
          .meta({ description: 'When the samples were stored; null until they are.' }),
        evaluated_at: timestampSchema
          .nullable()
          .meta({ description: 'When rules evaluated them; null before that.' }),
        dead_lettered: z
          .object({
            reason: z.string().meta({
              description: '`unreadable`, `cannot_be_stored` or `cannot_be_evaluated`.',
              examples: ['cannot_be_stored'],
            }),
            at: timestampSchema,
          })
          .nullable()
          .meta({ description: 'Given up for good; null unless they were.' }),
      }),
    ),
  })
  .meta({ id: 'TracedIngestReceipt', description: 'What became of the payloads of one request.' });

export type TracedReceipt = z.infer<typeof tracedReceiptSchema>;
