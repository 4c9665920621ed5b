import { z } from 'zod';
import { EVENT_TYPES } from '../events/event-types.ts';
import { CHANNEL_KINDS } from '../rules/rule.ts';
import { fieldsQuery } from '../values/fields.ts';
import { idSchema } from '../values/id.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../values/page.ts';
import { flagQuery } from '../values/query.ts';
import { sortQuery } from '../values/sort.ts';
import { timestampSchema } from '../values/timestamp.ts';

const masked = (description: string, example: string) =>
  z.string().meta({ description: `${description} Masked.`, examples: [example] });

const slackAnswer = z
  .union([
    z.object({ webhook_url: masked('The incoming webhook.', 'https://hooks.slack.com/…x7Qa') }),
    z.object({
      bot_token: masked("The bot's token.", '…x7Qa'),
      channel: z.string().meta({ examples: ['#alerts'] }),
      api_url: z
        .string()
        .meta({ description: 'Masked where it is not Slack’s own.', examples: ['https://slack.com/api'] }),
    }),
  ])
  .meta({ id: 'SlackConfig', description: 'An incoming webhook, or a bot.' });

const emailAnswer = z
  .object({ to: z.array(z.string()).meta({ examples: [['oncall@example.com']] }) })
  .meta({ id: 'EmailConfig', description: 'Who gets it.' });

const webhookAnswer = z
  .object({
    url: masked('Where to.', 'https://example.com/…hook'),
    secret: masked('What deliveries are signed with.', '…NTY='),
    headers: z.record(z.string(), z.string()).meta({ description: 'Headers, their values masked.' }),
    events: z.array(z.enum(EVENT_TYPES)),
  })
  .meta({ id: 'WebhookConfig', description: 'A receiver of signed events.' });

const pagerdutyAnswer = z
  .object({
    routing_key: masked('The integration key.', '…cdef'),
    api_url: z.string().meta({
      description: 'Masked where it is not PagerDuty’s own.',
      examples: ['https://events.pagerduty.com/v2/enqueue'],
    }),
  })
  .meta({ id: 'PagerdutyConfig', description: 'A service of PagerDuty, by Events API v2.' });

const deliverySchema = z
  .object({
    status: z.enum(['delivered', 'failed']),
    at: timestampSchema,
    error: z.string().nullable(),
  })
  .meta({ id: 'LastDelivery', description: 'The outcome of the last attempt of a delivery.' });

export type LastDelivery = z.infer<typeof deliverySchema>;

export const channelWarningSchema = z
  .object({
    code: z.enum(['mail_server_not_configured']),
    message: z.string().meta({
      examples: ['TIDEWATCH_EMAIL_SMTP_URL is not set: nothing is sent to this channel until it is.'],
    }),
  })
  .meta({
    id: 'ChannelWarning',
    description: 'Something that keeps a channel from working as its author may expect.',
  });

export type ChannelWarning = z.infer<typeof channelWarningSchema>;

/** A channel as it is answered. */
export const channelSchema = z
  .object({
    id: idSchema('chn'),
    kind: z.enum(CHANNEL_KINDS),
    name: z.string().meta({ examples: ['on call'] }),
    is_default: z
      .boolean()
      .meta({ description: 'Whether rules that name the kind alone mean this channel.', examples: [true] }),
    enabled: z.boolean().meta({ description: 'Whether anything is sent.', examples: [true] }),
    config: z.union([slackAnswer, emailAnswer, webhookAnswer, pagerdutyAnswer]),
    version: z
      .int()
      .positive()
      .meta({ description: 'Counts the changes; the ETag begins with it.', examples: [1] }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    last_delivery: deliverySchema.nullable(),
    warnings: z.array(channelWarningSchema).meta({
      description: 'What keeps the channel from working; an email channel without a mail server has one.',
      examples: [[]],
    }),
  })
  .meta({ id: 'Channel', description: 'A destination of notifications.' });

export type Channel = z.infer<typeof channelSchema>;

/** The stored fields of a channel; its warnings depend on the settings of the process that responds. */
export type StoredChannel = Omit<Channel, 'warnings'>;

export const channelsPageSchema = z
  .object({ channels: z.array(channelSchema), pagination: paginationSchema })
  .meta({ id: 'ChannelsPage', description: 'Channels by creation, oldest first.' });

export const channelsQuerySchema = z
  .object({
    ...pageQuery,
    kind: z.enum(CHANNEL_KINDS).optional().meta({ description: 'Only channels of this kind.' }),
    enabled: flagQuery('Only channels that are, or are not, enabled.'),
    sort: sortQuery(['created_at', 'updated_at', 'name'], 'created_at'),
    fields: fieldsQuery(channelSchema.shape),
  })
  .check(cursorOrOffset);

export type ChannelsQuery = z.output<typeof channelsQuerySchema>;

export const channelTestSchema = z
  .object({
    status: z.enum(['delivered', 'failed']),
    error: z.string().nullable(),
    duration_ms: z
      .int()
      .nonnegative()
      .meta({ examples: [120] }),
  })
  .meta({ id: 'ChannelTest', description: 'What came of a test.' });

export type ChannelTest = z.infer<typeof channelTestSchema>;
