import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { SUBJECT_KINDS } from '../values/subject.ts';

export const FINDING_KINDS = [
  'metric_shift',
  'correlated_metric',
  'process',
  'container',
  'peer_hosts',
  'recurrence',
  'saturation',
  'restart',
  'data_gap',
  'change',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

const hostName = {
  service_id: idSchema('svc'),
  host: z.string().meta({ examples: ['web-01'] }),
};

const scoreSchema = z
  .number()
  .min(0)
  .max(1)
  .meta({
    description:
      'How probable it is that this is the cause, or points to it; compares across the hosts of one investigation. Where `possible_cause` is false, a place in the order alone.',
    examples: [0.93],
  });

const summarySchema = z
  .object({
    median: z.number().meta({ examples: [22.1] }),
    min: z.number().meta({ examples: [17.4] }),
    max: z.number().meta({ examples: [27.9] }),
    count: z
      .int()
      .nonnegative()
      .meta({ examples: [1440] }),
    from: timestampSchema,
    to: timestampSchema,
  })
  .meta({ id: 'MetricSummary', description: 'The values of one window, `[from, to)`.' });

/** The subject of a finding. It may also be a tag that hosts share, which rules cannot evaluate. */
export const findingSubjectSchema = z
  .object({
    kind: z.enum([...SUBJECT_KINDS, 'tag']),
    name: z.string().meta({ examples: ['stress'] }),
  })
  .meta({
    id: 'FindingSubject',
    description:
      'The host itself, one of its containers or parts, its processes of one name, or a tag as `name=value` that hosts share.',
  });

const startedAtSchema = timestampSchema.nullable().meta({
  description: 'When it began to be unusual.',
  examples: ['2026-11-21T14:31:00.000Z'],
});

const suspectSchema = z
  .object({
    ...hostName,
    score: scoreSchema,
    metric: z
      .string()
      .nullable()
      .meta({ examples: ['cpu_percent'] }),
    started_at: startedAtSchema,
  })
  .meta({ id: 'SuspectHost', description: 'A host that may be the cause.' });

export const findingSchema = z
  .object({
    id: idSchema('fnd'),
    kind: z.enum(FINDING_KINDS),
    title: z.string().meta({ examples: ['The process "stress" took the processor.'] }),
    description: z.string().meta({
      examples: ['"stress" uses 72 % of a processor; in the hour before it did not run.'],
    }),
    score: scoreSchema,
    possible_cause: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether it may be the cause; false for the metric in question, other effects and circumstances. Null while a run is under way, and in records of versions before this field.',
        examples: [true],
      }),
    ...hostName,
    subject: findingSubjectSchema,
    metric: z
      .string()
      .nullable()
      .meta({ examples: ['cpu_percent'] }),
    baseline: summarySchema.nullable().meta({ description: 'What was usual before.' }),
    observed: summarySchema.nullable().meta({ description: 'What it was in the window.' }),
    started_at: startedAtSchema,
    hosts: z
      .array(suspectSchema)
      .meta({ description: 'Hosts that may be the cause, the most suspect first.' }),
    unaffected_hosts: z
      .array(z.object(hostName).meta({ id: 'HostReference', description: 'A host and its service.' }))
      .meta({ description: 'Hosts that were looked at and did not move.' }),
    evidence_ids: z
      .array(idSchema('evd'))
      .meta({ description: 'What its numbers were computed from, in `evidence`.' }),
  })
  .meta({
    id: 'Finding',
    description:
      'Something that was out of the ordinary. `host` is the host that it is about, which need not be the one that alerted.',
  });

export type Finding = z.infer<typeof findingSchema>;

const cellSchema = z.union([z.number(), z.string()]).nullable();

export const evidenceSchema = z
  .object({
    id: idSchema('evd'),
    query: z.string().meta({
      description: 'What was asked of the store; a request of this API where there is one.',
      examples: ['GET /api/v1/services/svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c/metrics?metrics=cpu_percent'],
    }),
    from: timestampSchema,
    to: timestampSchema,
    stats: z.record(z.string(), cellSchema).meta({
      description: 'Numbers that were computed from it, by name.',
      examples: [{ median: 22.1, mad: 1.4, z: 38.2 }],
    }),
    points: z.array(z.record(z.string(), cellSchema)).meta({
      description: 'The result itself, thinned where it is long: points of a series, or the rows of a table.',
      examples: [[{ t: '2026-11-21T14:31:00.000Z', value: 96.2 }]],
    }),
  })
  .meta({
    id: 'InvestigationEvidence',
    description: 'The result of a query as it was then: it stays when the samples have aged out.',
  });

export type Evidence = z.infer<typeof evidenceSchema>;
