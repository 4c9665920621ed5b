import { z } from 'zod';
import { CHANNEL_KINDS } from '../channels/kinds/channel-kinds.ts';
import { TRANSITIONS } from '../channels/notice-events.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { idQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { SEVERITIES } from '../values/severity.ts';

export const NOTIFICATION_STATUSES = [
  'queued',
  'delivered',
  'failed',
  'suppressed',
  'not_configured',
] as const;

export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** What a notification is about: a transition of alerts, or another event to which its channel subscribed. */
export const NOTIFICATION_TRANSITIONS = [...TRANSITIONS, 'event'] as const;

export type NotificationTransition = (typeof NOTIFICATION_TRANSITIONS)[number];

/** Why an existing channel was not notified. */
export const SUPPRESSIONS = [
  'backfilled',
  'shadow',
  'too_old',
  'silenced',
  'host_offline',
  'flapping',
  'firing_not_notified',
  'not_subscribed',
] as const;

export type Suppression = (typeof SUPPRESSIONS)[number];

/** Why there was no channel to notify. */
export const UNCONFIGURED = ['no_default', 'channel_deleted', 'channel_disabled'] as const;

export type Unconfigured = (typeof UNCONFIGURED)[number];

export const notifiedChannelSchema = z
  .object({
    id: idSchema('chn').nullable(),
    kind: z.enum(CHANNEL_KINDS),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Operations'] }),
  })
  .meta({
    id: 'NotifiedChannel',
    description: 'A channel as it was called then; id and name are null where a kind had no default.',
  });

const outcome = {
  transition: z.enum(NOTIFICATION_TRANSITIONS).meta({
    description:
      'What the notification is about. `digest` covers several alerts at once, `event` is another event that the channel subscribed to.',
    examples: ['fired'],
  }),
  status: z.enum(NOTIFICATION_STATUSES).meta({
    description:
      '`queued` waits for its attempt, its next one, or the end of the window that its digest gathers in.',
  }),
  reason: z
    .enum([...SUPPRESSIONS, ...UNCONFIGURED])
    .nullable()
    .meta({
      description:
        'Why nothing is sent, where it is `suppressed` or `not_configured`. Once the reason has passed while the alert is active, another notification is sent.',
    }),
  attempts: z
    .int()
    .nonnegative()
    .meta({ description: 'How often it was sent.', examples: [1] }),
  last_error: z
    .string()
    .nullable()
    .meta({ description: 'What the last attempt failed with; null once it is delivered.' }),
  created_at: timestampSchema,
  sent_at: timestampSchema.nullable().meta({ description: 'When the destination took it.' }),
};

/** A notification of one channel about one alert, as the alert's record contains it. */
export const alertNotificationSchema = z
  .object({ id: idSchema('ntf'), channel: notifiedChannelSchema, ...outcome })
  .meta({ id: 'AlertNotification', description: 'How one channel was notified.' });

/** Alerts of a notification that are named in it; a digest may be about thousands. */
export const MAX_NAMED_ALERTS = 5;

export const namedAlertSchema = z
  .object({
    id: idSchema('alr'),
    host: z.string().meta({ examples: ['web-01'] }),
    rule_name: z.string().meta({ examples: ['CPU is busy'] }),
    severity: z.enum(SEVERITIES),
    summary: z.string().meta({
      description: 'One sentence, host first.',
      examples: ['web-01: cpu_percent is 93.5 %, above 90 % for 5 minutes.'],
    }),
  })
  .meta({ id: 'NamedAlert', description: 'What an alert is about, in few words.' });

export const notificationSchema = z
  .object({
    id: idSchema('ntf'),
    event_id: idSchema('evt').meta({ description: 'What receivers recognise a second sending by.' }),
    alert_ids: z.array(idSchema('alr')),
    alerts: z
      .array(namedAlertSchema)
      .max(MAX_NAMED_ALERTS)
      .meta({
        description: `The first ${MAX_NAMED_ALERTS} of these alerts as they are now, in the order of their ids. Alerts that are no longer kept are missing.`,
      }),
    channel: notifiedChannelSchema,
    ...outcome,
  })
  .meta({ id: 'Notification', description: 'One message to one channel, about one alert or several.' });

export type Notification = z.infer<typeof notificationSchema>;

export const notificationsPageSchema = z
  .object({ notifications: z.array(notificationSchema), pagination: paginationSchema })
  .meta({ id: 'NotificationsPage', description: 'Notifications by creation, newest first.' });

export const notificationsQuerySchema = z
  .object({
    ...pageQuery,
    alert_id: idQuery(255, 'Only notifications about this alert.'),
    status: z
      .enum(NOTIFICATION_STATUSES)
      .optional()
      .meta({ description: 'Only notifications of this status.' }),
    sort: sortQuery(['created_at'], '-created_at'),
    fields: fieldsQuery(notificationSchema.shape),
  })
  .check(cursorOrOffset);

export type NotificationsQuery = z.output<typeof notificationsQuerySchema>;
