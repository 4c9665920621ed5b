import { z } from 'zod';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { flagQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { CHANNEL_KIND_FACTS, CHANNEL_KINDS, type ChannelKind } from './kinds/channel-kinds.ts';

type ConfigAnswer = (typeof CHANNEL_KIND_FACTS)[ChannelKind]['answer'];
const CONFIG_ANSWERS = CHANNEL_KINDS.map((kind) => CHANNEL_KIND_FACTS[kind].answer) as ConfigAnswer[];

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

/** A channel as responses contain it. */
export const channelSchema = z
  .object({
    id: idSchema('chn'),
    kind: z.enum(CHANNEL_KINDS),
    name: z.string().meta({ examples: ['on call'] }),
    is_default: z
      .boolean()
      .meta({ description: 'Whether rules that name the kind alone mean this channel.', examples: [true] }),
    enabled: z.boolean().meta({ description: 'Whether anything is sent.', examples: [true] }),
    config: z.union(CONFIG_ANSWERS),
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

/**
 * The stored fields of a channel. Warnings are not stored, because they depend on the settings of the process that
 * responds.
 */
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
