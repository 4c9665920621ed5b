import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../events/event-types.ts';
import { textSchema } from '../../values/text.ts';
import { NOTICE_EVENTS } from '../notice-events.ts';
import type { ChannelKindFacts } from './channel-kind.ts';
import { addressSchema, formed, masked } from './fields.ts';
import { maskFields, maskSecret, maskUrl } from './masks.ts';

const MAX_HEADERS = 20;
const SECRET_BYTES = { min: 24, max: 64 };
const BASE64 = '[A-Za-z0-9+/]';
/** The pattern of a secret: `whsec_`, then 24 to 64 bytes in base64. */
const SECRET_PATTERN = `^whsec_(?:(?:${BASE64}{4}){8,20}(?:${BASE64}{3}=|${BASE64}{2}==)?|(?:${BASE64}{4}){21}(?:${BASE64}{2}==)?)$`;

export interface WebhookConfig {
  url: string;
  /** The secret: `whsec_`, then the key in base64 (Standard Webhooks). */
  secret: string;
  /** Headers that are sent with every delivery; their values may be secrets. */
  headers: Record<string, string>;
  /**
   * The events that the webhook subscribed to; `wantsEvent` in @tidewatch/domain/notification/wants-event decides which
   * ones it receives.
   */
  events: EventType[];
}

const headersSchema = z
  .record(
    formed(
      textSchema(1, 100),
      isOwnHeader,
      'Must be the name of a header that deliveries do not set themselves.',
    ),
    formed(textSchema(1, 2_000), (text) => /^[!-~](?:[\t -~]*[!-~])?$/.test(text), 'Must be visible ASCII.'),
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, {
    message: `Must have at most ${MAX_HEADERS} entries.`,
    params: { code: 'too_many' },
  })
  .default({})
  .meta({ description: 'Sent with every delivery.' });

const input = z
  .strictObject({
    url: addressSchema.meta({
      description:
        'Where events are posted to. Private addresses are refused, names that lead to them when something is sent, unless the installation allows them (`TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS`).',
    }),
    secret: formed(textSchema(1, 200), isWebhookSecret, 'Must be whsec_ and 24 to 64 bytes in base64.')
      .nullable()
      .default(null)
      .meta({
        description:
          'What deliveries are signed with, as `webhooks` of this document says: `whsec_` and 24 to 64 bytes in base64. Without one it is made and shown once.',
        pattern: SECRET_PATTERN,
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    headers: headersSchema,
    events: z
      .array(z.enum(EVENT_TYPES))
      .min(1)
      .default([...NOTICE_EVENTS])
      .meta({
        description:
          'The events that it receives: of alerts, if a rule names the channel; all others, if they are listed here.',
      }),
  })
  .meta({ id: 'WebhookConfigInput', description: 'A receiver of signed events.' });

const answer = z
  .object({
    url: masked('Where to.', 'https://example.com/…hook'),
    secret: masked('What deliveries are signed with.', '…NTY='),
    headers: z.record(z.string(), z.string()).meta({ description: 'Headers, their values masked.' }),
    events: z.array(z.enum(EVENT_TYPES)),
  })
  .meta({ id: 'WebhookConfig', description: 'A receiver of signed events.' });

export const webhook = {
  input,
  answer,
  mask: (config) => ({
    ...maskFields(config, { url: maskUrl, secret: maskSecret }),
    headers: Object.fromEntries(
      Object.entries(config.headers).map(([name, value]) => [name, maskSecret(value)]),
    ),
  }),
  exposure: ({ url, headers }) => ({
    origin: new URL(url).origin,
    secrets: Object.fromEntries(Object.entries(headers).map(([name, value]) => [`headers/${name}`, value])),
  }),
  pace: { perSecond: 10, burst: 20 },
  shorthand: { field: 'url', isList: false },
} satisfies ChannelKindFacts<WebhookConfig>;

/** Matches headers of the connection, the message and the signature, which only deliveries set. */
const TAKEN =
  /^(?:host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*)$/i;

function isOwnHeader(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !TAKEN.test(name);
}

function isWebhookSecret(text: string): boolean {
  const match = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text);
  if (match?.[1] === undefined || match[1].length % 4 !== 0) return false;
  const bytes = (match[1].length / 4) * 3 - (match[1].match(/=/g)?.length ?? 0);
  return bytes >= SECRET_BYTES.min && bytes <= SECRET_BYTES.max;
}
