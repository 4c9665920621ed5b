import { z } from 'zod';
import { alertSchema } from '../alerts/alert.ts';
import { channelSchema } from '../channels/channel.ts';
import { analysisSchema } from '../investigations/analysis.ts';
import { findingSchema } from '../investigations/finding.ts';
import { investigationItemSchema } from '../investigations/investigation.ts';
import { keySchema } from '../keys/key.ts';
import { notificationSchema } from '../notifications/notification.ts';
import { ruleSchema } from '../rules/rule.ts';
import { serviceStatusSchema, statusReasonSchema } from '../services/service.ts';
import { silenceSchema } from '../silences/silence.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { SEVERITIES } from '../values/severity.ts';
import {
  ALERT_EVENTS,
  CHANNEL_EVENTS,
  DIGEST_EVENTS,
  type EventType,
  INVESTIGATION_EVENTS,
  KEY_EVENTS,
  NOTIFICATION_EVENTS,
  PIPELINE_EVENTS,
  RULE_EVENTS,
  SERVICE_EVENTS,
  SILENCE_EVENTS,
} from './event-types.ts';

const linkSchema = z.string().nullable();

const ruleReference = z.object({
  id: idSchema('rul'),
  name: z.string(),
  runbook_url: z.string().nullable(),
});

const alertData = z.object({
  alert: alertSchema,
  rule: ruleReference,
  links: z
    .object({ alert: linkSchema, service: linkSchema, investigation: linkSchema, runbook: linkSchema })
    .meta({ description: 'Addresses for people; null where none is known.' }),
  flapping_severity: z.enum(SEVERITIES).optional().meta({
    description:
      'Only in `alert.flapping`: the worst severity that flaps. What is above it is notified all the same.',
  }),
});

const digestData = z.object({
  alerts: z.array(alertSchema).meta({ description: 'All firing, or all resolved; each alert once.' }),
  rule: ruleReference,
});

const notificationData = z.object({ notification: notificationSchema });

const serviceData = z.object({
  service: z.object({
    id: idSchema('svc'),
    name: z.string(),
    host: z.string(),
    status: serviceStatusSchema,
    status_reasons: z.array(statusReasonSchema),
    status_since: timestampSchema,
    last_seen: timestampSchema.nullable(),
    tags: z.record(z.string(), z.string()),
  }),
});

export type ServiceEventData = z.infer<typeof serviceData>;

const ruleData = z.object({
  rule: ruleSchema.pick({
    id: true,
    name: true,
    metric: true,
    severity: true,
    enabled: true,
    version: true,
    external_id: true,
  }),
});

const channelData = z.object({
  channel: channelSchema.pick({
    id: true,
    kind: true,
    name: true,
    is_default: true,
    enabled: true,
    version: true,
  }),
});

const investigationData = z.object({
  investigation: investigationItemSchema.omit({ findings: true }),
  detector: z
    .string()
    .nullable()
    .meta({
      description: 'What found the findings, where it has `progressed`; null otherwise.',
      examples: ['change-point'],
    }),
  findings: z
    .array(
      findingSchema.pick({
        id: true,
        kind: true,
        title: true,
        score: true,
        service_id: true,
        host: true,
        subject: true,
      }),
    )
    .meta({ description: 'Those that the detector found, or the best of all; ten at most.' }),
  findings_total: z
    .int()
    .nonnegative()
    .meta({ description: 'How many there are by now.', examples: [3] }),
  analysis: analysisSchema
    .pick({ summary: true, root_cause: true, root_cause_finding_id: true, source: true })
    .nullable()
    .meta({ description: 'Null until it is completed.' }),
  links: z
    .object({ investigation: linkSchema, service: linkSchema })
    .meta({ description: 'Addresses for people; null where none is known.' }),
});

const silenceData = z.object({ silence: silenceSchema });

const pipelineData = z.object({
  pipeline: z.object({
    partitions: z
      .array(z.int())
      .meta({ description: 'Those that have fallen behind, or have caught up; hosts are spread over all.' }),
    partition_count: z.int(),
    complete_until: timestampSchema.meta({ description: 'Up to when all of these have been evaluated.' }),
    delayed_since: timestampSchema.meta({ description: 'When the first of these was found to be behind.' }),
  }),
});

const keyData = z.object({
  key: keySchema.pick({
    id: true,
    name: true,
    prefix: true,
    scopes: true,
    expires_at: true,
    revoked_at: true,
  }),
  replaces: idSchema('key').nullable().meta({ description: 'The key in whose place it came, if any.' }),
});

/** The fields that every event has (CloudEvents 1.0). */
const envelope = {
  specversion: z.literal('1.0'),
  id: idSchema('evt'),
  source: z.string().meta({
    description: 'The organization, as `/tidewatch/<id>`.',
    examples: ['/tidewatch/org_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
  }),
  subject: z.string().meta({
    description: 'Id of the object that the event is about; `pipeline` where it is the pipeline.',
    examples: ['alr_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
  }),
  time: timestampSchema.meta({ description: 'When it was decided.' }),
  datacontenttype: z.literal('application/json'),
};

export const eventSchema = z
  .union([
    z.object({ ...envelope, type: z.enum(ALERT_EVENTS), data: alertData }),
    z.object({ ...envelope, type: z.enum(DIGEST_EVENTS), data: digestData }),
    z.object({ ...envelope, type: z.enum(SERVICE_EVENTS), data: serviceData }),
    z.object({ ...envelope, type: z.enum(RULE_EVENTS), data: ruleData }),
    z.object({ ...envelope, type: z.enum(CHANNEL_EVENTS), data: channelData }),
    z.object({ ...envelope, type: z.enum(NOTIFICATION_EVENTS), data: notificationData }),
    z.object({ ...envelope, type: z.enum(INVESTIGATION_EVENTS), data: investigationData }),
    z.object({ ...envelope, type: z.enum(SILENCE_EVENTS), data: silenceData }),
    z.object({ ...envelope, type: z.enum(PIPELINE_EVENTS), data: pipelineData }),
    z.object({ ...envelope, type: z.enum(KEY_EVENTS), data: keyData }),
  ])
  .meta({ id: 'Event', description: 'A CloudEvent on the topic `tidewatch.events`.' });

export type Event = z.infer<typeof eventSchema>;

interface EventDataByType
  extends Record<(typeof ALERT_EVENTS)[number], z.infer<typeof alertData>>,
    Record<(typeof SERVICE_EVENTS)[number], ServiceEventData>,
    Record<(typeof DIGEST_EVENTS)[number], z.infer<typeof digestData>>,
    Record<(typeof RULE_EVENTS)[number], z.infer<typeof ruleData>>,
    Record<(typeof CHANNEL_EVENTS)[number], z.infer<typeof channelData>>,
    Record<(typeof NOTIFICATION_EVENTS)[number], z.infer<typeof notificationData>>,
    Record<(typeof INVESTIGATION_EVENTS)[number], z.infer<typeof investigationData>>,
    Record<(typeof SILENCE_EVENTS)[number], z.infer<typeof silenceData>>,
    Record<(typeof PIPELINE_EVENTS)[number], z.infer<typeof pipelineData>>,
    Record<(typeof KEY_EVENTS)[number], z.infer<typeof keyData>> {}

/** Creates the CloudEvent of `type` about the object `subject` of an organization; `time` in the form of `toIso`. */
export function cloudEvent<T extends EventType>(fields: {
  id: string;
  organizationId: string;
  type: T;
  subject: string;
  time: string;
  data: EventDataByType[T];
}): Event {
  return {
    specversion: '1.0',
    id: fields.id,
    source: `/tidewatch/${fields.organizationId}`,
    type: fields.type,
    subject: fields.subject,
    time: fields.time,
    datacontenttype: 'application/json',
    data: fields.data,
  } as Event;
}
