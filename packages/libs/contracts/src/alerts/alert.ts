import { z } from 'zod';
import { containerSchema, processSchema } from '../ingest/snapshot.ts';
import { alertNotificationSchema } from '../notifications/notification.ts';
import { formatQuery } from '../queries/export.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { asOfQuery, flagQuery, idQuery, textQuery, timeQuery, windowInOrder } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { conditionSchema } from '../rules/condition-schema.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';
import { SEVERITIES, severitySchema } from '../values/severity.ts';
import { subjectSchema } from '../values/subject.ts';

export const alertStatusSchema = z
  .enum(['active', 'resolved'])
  .meta({ description: '`active` is firing and recovering.' });

export const alertStateSchema = z.enum(['firing', 'recovering', 'resolved']).meta({
  description: '`recovering` is clear, but not yet for `keep_firing_minutes`.',
});

export const RESOLUTIONS = [
  'recovered',
  'no_data',
  'manual',
  'rule_deleted',
  'rule_disabled',
  'rule_changed',
  'service_deleted',
  'service_archived',
  'subject_gone',
] as const;

export const resolutionSchema = z
  .enum(RESOLUTIONS)
  .meta({ description: 'Why the alert is resolved.', examples: ['recovered'] });

export type Resolution = z.infer<typeof resolutionSchema>;

const commentSchema = z
  .object({ at: timestampSchema, by: actorSchema, text: z.string() })
  .meta({ id: 'Comment', description: 'What somebody said about the alert.' });

export const alertContextSchema = z
  .object({ processes: z.array(processSchema), containers: z.array(containerSchema) })
  .meta({
    id: 'AlertContext',
    description: 'The top processes and containers of the sample that fired the alert.',
  });

export type AlertContext = z.infer<typeof alertContextSchema>;

/** An alert as responses and events contain it. */
export const alertSchema = z
  .object({
    id: idSchema('alr'),
    rule_id: idSchema('rul'),
    rule_name: z.string().meta({ description: "The rule's name when it fired.", examples: ['CPU is busy'] }),
    rule_version: z
      .int()
      .positive()
      .meta({ description: "The rule's version that evaluated the alert last.", examples: [1] }),
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    subject: subjectSchema,
    status: alertStatusSchema,
    state: alertStateSchema,
    severity: severitySchema,
    metric: z.string().meta({ examples: ['cpu_percent'] }),
    condition: conditionSchema,
    threshold: z
      .number()
      .nullable()
      .meta({ examples: [90] }),
    threshold_max: z.number().nullable(),
    value: z
      .number()
      .nullable()
      .meta({ description: 'The last value evaluated.', examples: [91.5] }),
    value_at_fire: z
      .number()
      .nullable()
      .meta({ description: 'The value of the sample that fired it.', examples: [93.5] }),
    peak_value: z
      .number()
      .nullable()
      .meta({
        description: "The most extreme value while active, in the condition's direction.",
        examples: [99.1],
      }),
    summary: z.string().meta({
      description: 'One sentence, host first.',
      examples: ['web-01: cpu_percent is 93.5 %, above 90 % for 5 minutes.'],
    }),
    pending_since: timestampSchema.nullable().meta({
      description: 'Time of the first sample of the breach.',
      examples: ['2026-11-21T14:31:28.000Z'],
    }),
    fired_at: timestampSchema.meta({ description: 'Time of the sample that fired it.' }),
    resolved_at: timestampSchema
      .nullable()
      .meta({ description: 'Time of the sample, or of the event, that resolved it.' }),
    resolution: resolutionSchema.nullable(),
    acknowledged_at: timestampSchema.nullable(),
    acknowledged_by: actorSchema.nullable(),
    silenced_by: idSchema('sil')
      .nullable()
      .meta({ description: 'The silence that mutes it now, or did when it ended; null where none does.' }),
    flap_count: z
      .int()
      .nonnegative()
      .meta({ description: 'How often it breached again while recovering.', examples: [0] }),
    backfilled: z.boolean().meta({
      description:
        'Fired on a sample that was more than 15 minutes old when it was received. It is not notified until a fresh sample breaches.',
    }),
    shadow: z.boolean().meta({ description: 'Of a rule that is only tried out.' }),
    no_data: z.boolean().meta({ description: 'Fired because the metric stayed away.' }),
    context: alertContextSchema,
    notifications: z.array(alertNotificationSchema),
    comments: z.array(commentSchema),
    investigation_id: idSchema('inv').nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Alert', description: 'A breach of one rule by one subject, from the moment it fires.' });

export type Alert = z.infer<typeof alertSchema>;

export const alertsPageSchema = z
  .object({ alerts: z.array(alertSchema), pagination: paginationSchema })
  .meta({ id: 'AlertsPage', description: 'Alerts by `fired_at`, newest first.' });

/** The query of the list of alerts. `from` and `to` are ms, by `fired_at`, `[from, to)`. */
export const alertsQuerySchema = z
  .object({
    ...pageQuery,
    status: z
      .enum(['active', 'resolved', 'all'])
      .default('active')
      .meta({ description: 'Only alerts of this status.' }),
    severity: z.enum(SEVERITIES).optional().meta({ description: 'Only alerts of this severity.' }),
    service_id: idQuery(255, 'Only alerts of this service.'),
    rule_id: idQuery(255, 'Only alerts of this rule.'),
    host: textQuery(255, 'Only alerts of this host.'),
    acknowledged: flagQuery('Only alerts that were, or were not, acknowledged.'),
    from: timeQuery('Only alerts that fired at or after this time.'),
    to: timeQuery('Only alerts that fired before this time.'),
    shadow: z.enum(['include', 'only']).optional().meta({
      description: 'With, or only, alerts of rules in `shadow`; without it they are left out.',
    }),
    as_of: asOfQuery,
    format: formatQuery,
    sort: sortQuery(['fired_at', 'created_at', 'severity'], '-fired_at'),
    fields: fieldsQuery(alertSchema.shape),
  })
  .check(cursorOrOffset)
  .check(windowInOrder);

export type AlertsQuery = z.output<typeof alertsQuerySchema>;
