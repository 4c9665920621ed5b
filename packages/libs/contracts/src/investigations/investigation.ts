import { z } from 'zod';
import { paginationSchema } from '../queries/page.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';
import { severitySchema } from '../values/severity.ts';
import {
  analysisSchema,
  feedbackSchema,
  recommendationSchema,
  timelineEntrySchema,
  usageSchema,
} from './analysis.ts';
import { evidenceSchema, findingSchema } from './finding.ts';

export const INVESTIGATION_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export const CONCLUSIONS = ['root_cause_found', 'inconclusive'] as const;

/** An investigation as lists contain it. */
export const investigationItemSchema = z
  .object({
    id: idSchema('inv'),
    title: z.string().meta({ examples: ['web-01: cpu_percent is 93.5 %, above 90 % for 5 minutes.'] }),
    status: z.enum(INVESTIGATION_STATUSES).meta({
      description: 'Its progress. `conclusion` says what it found.',
      examples: ['completed'],
    }),
    conclusion: z.enum(CONCLUSIONS).nullable().meta({ description: 'Null until it is completed.' }),
    confidence: z
      .enum(['high', 'medium', 'low'])
      .nullable()
      .meta({ description: 'Null until it is completed.' }),
    severity: severitySchema
      .nullable()
      .meta({ description: 'Of the worst of its alerts; null where it was asked for without one.' }),
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    metric: z
      .string()
      .nullable()
      .meta({ description: 'The metric that it is about; null where only a host was named.' }),
    alert_ids: z
      .array(idSchema('alr'))
      .meta({ description: 'The alerts of its host that it is about, in order of id.' }),
    storm_alerts: z
      .int()
      .min(0)
      .meta({
        description:
          'How many alerts of other hosts share it: a rule that fires on more than ten hosts within ten minutes has the first ten investigated.',
        examples: [0],
      }),
    from: timestampSchema.meta({ description: 'Start of the window that is investigated.' }),
    to: timestampSchema.meta({ description: 'End of the window that is investigated.' }),
    findings: z
      .array(findingSchema)
      .meta({ description: 'The best first. While it runs, those that were found so far.' }),
    created_at: timestampSchema,
    completed_at: timestampSchema
      .nullable()
      .meta({ description: 'When it was completed, failed or was cancelled.' }),
  })
  .meta({ id: 'InvestigationItem', description: 'An investigation, in short.' });

export type InvestigationItem = z.infer<typeof investigationItemSchema>;

export const investigationSchema = z
  .object({
    ...investigationItemSchema.shape,
    trigger: z.enum(['alert', 'request']).meta({ description: 'What it was begun by.' }),
    question: z
      .string()
      .nullable()
      .meta({ examples: ['Why is it slow?'] }),
    created_by: actorSchema
      .nullable()
      .meta({ description: 'Who asked for it; null where an alert began it.' }),
    started_at: timestampSchema.nullable(),
    failure: z.string().nullable().meta({ description: 'Why it failed; null where it did not.' }),
    analysis: analysisSchema.nullable().meta({ description: 'Null until it is completed.' }),
    timeline: z.array(timelineEntrySchema),
    recommendations: z.array(recommendationSchema),
    evidence: z.array(evidenceSchema),
    usage: usageSchema.nullable().meta({ description: 'Null until it is completed.' }),
    feedback: feedbackSchema.nullable(),
  })
  .meta({ id: 'Investigation', description: 'An investigation in full.' });

export type Investigation = z.infer<typeof investigationSchema>;

export const investigationsPageSchema = z
  .object({ investigations: z.array(investigationItemSchema), pagination: paginationSchema })
  .meta({ id: 'InvestigationsPage', description: 'Investigations by creation, newest first.' });
