import { z } from 'zod';
import type { ChannelKindFacts } from './channel-kind.ts';
import { apiSchema, masked, tokenSchema } from './fields.ts';
import { maskApi, maskFields, maskSecret } from './masks.ts';

const API = 'https://events.pagerduty.com/v2/enqueue';

export interface PagerdutyConfig {
  routing_key: string;
  api_url: string;
}

const input = z
  .strictObject({
    routing_key: tokenSchema('The integration key.', '0123456789abcdef0123456789abcdef'),
    api_url: apiSchema(API),
  })
  .meta({ id: 'PagerdutyConfigInput', description: 'A service of PagerDuty, by Events API v2.' });

const answer = z
  .object({
    routing_key: masked('The integration key.', '…cdef'),
    api_url: z.string().meta({
      description: 'Masked where it is not PagerDuty’s own.',
      examples: ['https://events.pagerduty.com/v2/enqueue'],
    }),
  })
  .meta({ id: 'PagerdutyConfig', description: 'A service of PagerDuty, by Events API v2.' });

export const pagerduty = {
  input,
  answer,
  mask: (config) => maskFields(config, { routing_key: maskSecret, api_url: maskApi(API) }),
  exposure: (config) => ({
    origin: new URL(config.api_url).origin,
    secrets: { routing_key: config.routing_key },
  }),
  // PagerDuty accepts 120 events a minute for each integration.
  pace: { perSecond: 2, burst: 10 },
  shorthand: { field: 'routing_key', isList: false },
} satisfies ChannelKindFacts<PagerdutyConfig>;
