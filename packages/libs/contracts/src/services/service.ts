import { z } from 'zod';
// Imported for the types of fields of .meta() that only the API document uses.
import type {} from 'zod-openapi';
import { alertSchema } from '../alerts/alert.ts';
import { BOUNDS } from '../ingest/sample.ts';
import { containerSchema, processSchema } from '../ingest/snapshot.ts';
import { addFault } from '../problems/add-fault.ts';
import { formatQuery } from '../queries/export.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { tagQuery } from '../queries/name-values.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { asOfQuery, textQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

export const SERVICE_STATUSES = [
  'healthy',
  'degraded',
  'critical',
  'offline',
  'maintenance',
  'archived',
] as const;

export const serviceStatusSchema = z.enum(SERVICE_STATUSES).meta({
  description:
    '`degraded`: a warning alert is active; `critical`: a critical one is; `offline`: silent for max(3 × its usual interval, 3 minutes); `maintenance`: silenced; `archived`: offline for days and out of the lists.',
  examples: ['degraded'],
});

export type ServiceStatus = z.infer<typeof serviceStatusSchema>;

export const statusReasonSchema = z
  .object({
    code: z
      .enum(['critical_alert', 'warning_alert', 'silent', 'silenced', 'clock_skew', 'pipeline_delayed'])
      .meta({ examples: ['warning_alert'] }),
    message: z.string().meta({ examples: ['1 warning alert is active.'] }),
    alert_id: idSchema('alr').nullable(),
  })
  .meta({ id: 'StatusReason', description: 'Why a service has its status.' });

export type StatusReason = z.infer<typeof statusReasonSchema>;

const headlineMetrics = z
  .object({
    cpu_percent: z
      .number()
      .nullable()
      .meta({ examples: [12.5] }),
    memory_percent: z
      .number()
      .nullable()
      .meta({ examples: [40.1] }),
    disk_percent: z
      .number()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'HeadlineMetrics', description: 'Latest values by sample time; null where never reported.' });

export type HeadlineMetrics = z.infer<typeof headlineMetrics>;

const serviceFields = {
  id: idSchema('svc'),
  name: z.string().meta({ description: 'Name of the host.', examples: ['web-01'] }),
  status: serviceStatusSchema,
  status_reasons: z.array(statusReasonSchema),
  status_since: timestampSchema.meta({ description: 'Since when it has this status.' }),
  last_seen: timestampSchema.meta({
    description: "When the server last received a payload from it, by the server's clock.",
  }),
  tags: z
    .record(z.string(), z.string())
    .meta({ description: 'The newest tags.', examples: [{ region: 'eu-1' }] }),
  active_alerts: z
    .object({ critical: z.int().nonnegative(), warning: z.int().nonnegative(), info: z.int().nonnegative() })
    .meta({
      id: 'ActiveAlerts',
      description: 'How many alerts are active, by severity.',
      examples: [{ critical: 0, warning: 1, info: 0 }],
    }),
};

/** A service as lists contain it. */
export const serviceSchema = z
  .object({ ...serviceFields, metrics: headlineMetrics })
  .meta({ id: 'Service', description: 'A host that reported.' });

export type Service = z.infer<typeof serviceSchema>;

/** A part of a service with its latest values. */
export const partSchema = z
  .object({
    kind: z.string().meta({ examples: ['filesystem'] }),
    name: z.string().meta({ examples: ['/var'] }),
    labels: z.record(z.string(), z.string()).meta({ examples: [{ type: 'ext4' }] }),
    metrics: z.record(z.string(), z.number()).meta({
      description: 'The latest value of every metric, by sample time.',
      examples: [{ used_percent: 81.2 }],
    }),
    time: timestampSchema.meta({ description: 'The time of the newest of these values.' }),
  })
  .meta({ id: 'Part', description: 'A part of a host, such as a filesystem, a disk or a unit.' });

/** A service with all fields. */
export const serviceDetailSchema = z
  .object({
    ...serviceFields,
    host: z.string().meta({ examples: ['web-01'] }),
    first_seen: timestampSchema,
    interval_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Usual time between its payloads; null until it is known.', examples: [10] }),
    clock_skew_seconds: z
      .number()
      .nullable()
      .meta({
        description:
          'How many seconds its clock is ahead, below 0 where it is behind; null where it is right within 2 minutes.',
        examples: [null],
      }),
    metrics: z.record(z.string(), z.number()).meta({
      description: 'The latest value of every metric, by sample time.',
      examples: [{ cpu_percent: 12.5, load_1: 0.4 }],
    }),
    metric_times: z.record(z.string(), timestampSchema).meta({ description: 'The times of these values.' }),
    containers: z
      .array(containerSchema.extend({ time: timestampSchema }))
      .meta({ description: 'The containers of the newest payload that carried them.' }),
    processes: z.object({ time: timestampSchema.nullable(), list: z.array(processSchema) }).meta({
      description: 'The processes of the newest payload that carried them; `time` is null where none did.',
    }),
    parts: z.array(partSchema).meta({
      description:
        'The parts by kind and name, with their latest values, also those that the newest payload does not have. A part without samples for a day, by the clock of the host, is left out; its series stay.',
    }),
    alerts: z.array(alertSchema).meta({
      description: 'The active alerts, newest first, as the list of alerts has them.',
      examples: [[]],
    }),
  })
  .meta({ id: 'ServiceDetail', description: 'A host that reported, in full.' });

export type ServiceDetail = z.infer<typeof serviceDetailSchema>;

export const servicesPageSchema = z
  .object({ services: z.array(serviceSchema), pagination: paginationSchema })
  .meta({ id: 'ServicesPage', description: 'Services by name.' });

const statusCounts = z
  .object(
    Object.fromEntries(
      SERVICE_STATUSES.filter((status) => status !== 'archived').map((status) => [
        status,
        z.int().nonnegative(),
      ]),
    ) as StatusCountsShape,
  )
  .meta({ id: 'StatusCounts', description: 'How many services have each status.' });

type StatusCountsShape = Record<Exclude<ServiceStatus, 'archived'>, z.ZodInt>;

export const serviceGroupSchema = z
  .object({
    value: z
      .string()
      .nullable()
      .meta({ description: 'The value of the tag; null for hosts without it.', examples: ['eu-1'] }),
    services: z
      .int()
      .positive()
      .meta({ examples: [12] }),
    status: serviceStatusSchema.meta({ description: 'The worst status of the group.' }),
    statuses: statusCounts,
    metrics: z.object(headlineMetrics.shape).meta({
      id: 'MeanMetrics',
      description:
        'Means of the latest values, at most half a second behind them; null where no host reports the metric.',
    }),
  })
  .meta({ id: 'ServiceGroup', description: 'The services that share a value of a tag.' });

export type ServiceGroup = z.infer<typeof serviceGroupSchema>;

export const serviceGroupsPageSchema = z
  .object({ groups: z.array(serviceGroupSchema), pagination: paginationSchema })
  .meta({ id: 'ServiceGroupsPage', description: 'Groups of services by value, with `group_by`.' });

const NOT_OF_GROUPS = ['as_of', 'sort', 'fields', 'format'] as const;

/** Refuses parameters that do not apply to groups: groups have a single order and form, and only present values. */
const groupsAsTheyAre = z.superRefine<Partial<Record<(typeof NOT_OF_GROUPS)[number] | 'group_by', unknown>>>(
  (query, context) => {
    if (query.group_by === undefined) return;
    for (const name of NOT_OF_GROUPS) {
      if (query[name] === undefined) continue;
      const message = 'Is not for groups.';
      addFault(context, 'conflicting', message, [name]);
    }
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

/**
 * The query of the list of services; `tag` is parsed into names and values, `q` is a literal part of the name,
 * case-insensitive.
 */
export const servicesQuerySchema = z
  .object({
    ...pageQuery,
    status: z.enum(SERVICE_STATUSES).optional().meta({ description: 'Only services of this status.' }),
    q: textQuery(BOUNDS.host, 'Only services whose name contains this text, whatever its case.'),
    tag: tagQuery,
    group_by: textSchema(1, BOUNDS.tagName).optional().meta({
      description:
        'Name of a tag: answers one row for each of its values, and one for the services without it. Not with `as_of`, `format`, `sort` or `fields`.',
    }),
    as_of: asOfQuery,
    format: formatQuery,
    sort: sortQuery(['name', 'status_since'], 'name'),
    fields: fieldsQuery(serviceSchema.shape),
  })
  .check(cursorOrOffset)
  .check(groupsAsTheyAre);

export type ServicesQuery = z.output<typeof servicesQuerySchema>;
