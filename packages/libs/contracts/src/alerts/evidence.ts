import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';

const phaseSchema = z.enum(['inactive', 'pending', 'firing', 'recovering', 'resolved']);

const transitionSchema = z
  .object({
    from: phaseSchema.meta({ examples: ['pending'] }),
    to: phaseSchema.meta({ examples: ['firing'] }),
    at: timestampSchema.meta({ description: 'Time of the sample, or of what stands for it.' }),
    reason: z.string().meta({
      description:
        'Why: `breach`, `clear`, `no_data`, `escalated`, `eased`, `confirmed` (a fresh sample breaches where the alert began with an old one), or what an alert is resolved by (`resolution`).',
      examples: ['breach'],
    }),
    value: z
      .number()
      .nullable()
      .meta({ examples: [95.5] }),
  })
  .meta({ id: 'AlertTransition', description: 'A step of an alert through its states.' });

const sampleSchema = z
  .object({
    role: z.enum(['opened', 'fired', 'closed']),
    time: timestampSchema,
    value: z.number().meta({ examples: [95.5] }),
    topic: z
      .string()
      .nullable()
      .meta({ description: 'Null where no log is kept.', examples: ['tidewatch.samples'] }),
    partition: z
      .int()
      .nullable()
      .meta({ examples: [7] }),
    offset: z
      .string()
      .nullable()
      .meta({ examples: ['1042'] }),
  })
  .meta({ id: 'AlertSample', description: 'A sample that moved an alert, and where it lies in the log.' });

const when = (description: string) =>
  timestampSchema.nullable().meta({ description, examples: ['2026-11-21T14:36:28.000Z'] });

/** The response of `GET /api/v1/alerts/:id/evidence`. */
export const alertEvidenceSchema = z
  .object({
    alert_id: idSchema('alr'),
    transitions: z.array(transitionSchema),
    samples: z.array(sampleSchema),
    latency: z
      .object({
        sampled_at: when('Time of the sample that fired it, by the clock of its host.'),
        received_at: when('When ingest received that sample.'),
        published_at: when('When it was handed to the bus.'),
        consumed_at: when('When the evaluator took it up.'),
        fired_at: when('When the rule evaluated it.'),
        notified_at: when('When the first notification had been sent.'),
      })
      .meta({ id: 'AlertLatency', description: 'The way of the sample that fired it, step by step.' }),
  })
  .meta({ id: 'AlertEvidence', description: 'What led to an alert and to its end.' });

export type AlertEvidence = z.infer<typeof alertEvidenceSchema>;
