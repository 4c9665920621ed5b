import { z } from 'zod';
import { textSchema } from '../../values/text.ts';
import { type ChannelKindFacts, NO_EXPOSURE } from './channel-kind.ts';
import { addressSchema, apiSchema, formed, masked, tokenSchema } from './fields.ts';
import { maskApi, maskFields, maskSecret, maskUrl } from './masks.ts';

const API = 'https://slack.com/api';

/** The configuration of an incoming webhook, which posts to a single conversation. */
export interface SlackWebhookConfig {
  webhook_url: string;
}

/** The configuration of a bot, which can change its messages and reply in their threads. */
export interface SlackBotConfig {
  bot_token: string;
  /** The id or name of the conversation. */
  channel: string;
  /** The base URL of the Slack API, without a slash at the end. */
  api_url: string;
}

export type SlackConfig = SlackWebhookConfig | SlackBotConfig;

const input = z
  .union([
    z.strictObject({ webhook_url: addressSchema }),
    z.strictObject({
      bot_token: tokenSchema(
        'Token of a bot that may write into the conversation.',
        'xoxb-1234567890-abcdef',
      ),
      channel: formed(
        textSchema(1, 80),
        (text) => /^#?[\p{L}\p{N}._-]+$/u.test(text),
        'Must be the id or the name of a conversation.',
      ).meta({ examples: ['#alerts'] }),
      api_url: apiSchema(API),
    }),
  ])
  .meta({ id: 'SlackConfigInput', description: 'An incoming webhook, or a bot.' });

const answer = z
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

export const slack = {
  input,
  formOf: (config) => input.options[Object.hasOwn(config, 'webhook_url') ? 0 : 1],
  answer,
  mask: (config) =>
    maskFields(config, { webhook_url: maskUrl, bot_token: maskSecret, api_url: maskApi(API) }),
  exposure: (config) =>
    'webhook_url' in config
      ? NO_EXPOSURE
      : { origin: new URL(config.api_url).origin, secrets: { bot_token: config.bot_token } },
  // Slack accepts one message a second for each conversation, and short bursts.
  pace: { perSecond: 1, burst: 5 },
  shorthand: { field: 'webhook_url', isList: false },
} satisfies ChannelKindFacts<SlackConfig>;
