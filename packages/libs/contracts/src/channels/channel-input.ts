import { z } from 'zod';
import { EVENT_TYPES } from '../events/event-types.ts';
import { CHANNEL_KINDS } from '../rules/rule.ts';
import { mergePatch } from '../values/merge-patch.ts';
import { type Fault, jsonPointer } from '../values/problem.ts';
import { textSchema } from '../values/text.ts';
import { MAX_FAULTS, toFaults } from '../values/validation.ts';
import { type KindAndConfig, NOTICE_EVENTS, PROVIDER_APIS } from './channel-config.ts';
import { keepMasked, secretsSentElsewhere } from './channel-secrets.ts';

const MAX_ADDRESSES = 50;
const MAX_HEADERS = 20;
const SECRET_BYTES = { min: 24, max: 64 };
const BASE64 = '[A-Za-z0-9+/]';
/** `whsec_`, then 24 to 64 bytes in base64. */
const SECRET_PATTERN = `^whsec_(?:(?:${BASE64}{4}){8,20}(?:${BASE64}{3}=|${BASE64}{2}==)?|(?:${BASE64}{4}){21}(?:${BASE64}{2}==)?)$`;

/** Characters before the @ of an address, and those of the names behind it, without the dots between. */
const LOCAL = "[\\w!#$%&'*+/=?^`{|}~-]";
const NAME = '[A-Za-z0-9]';
/** Without two adjacent dots. */
const EMAIL_PATTERN = `^(?:(?:\\.?${LOCAL})+\\.?|\\.)@${NAME}(?:(?:\\.?[A-Za-z0-9-])*\\.?${NAME})?$`;
const TOKEN_PATTERN = '^[!-~]+$';

/** A text that satisfies a predicate; `message` says what it must be. */
function formed(schema: ReturnType<typeof textSchema>, holds: (text: string) => boolean, message: string) {
  return schema.refine(holds, { message, params: { code: 'invalid_format' }, abort: true });
}

/** The same of one that a pattern takes, which the document says too. */
function shaped(schema: ReturnType<typeof textSchema>, pattern: string, message: string) {
  const form = new RegExp(pattern);
  return formed(schema, (text) => form.test(text), message).meta({ pattern });
}

/** An http or https address without login or fragment, in visible ASCII: a masked one is none. */
const addressSchema = formed(
  textSchema(1, 2_000),
  isAddress,
  'Must be an http or https address without a login.',
).meta({
  format: 'uri',
  examples: ['https://example.com/hooks/tidewatch'],
});

const apiSchema = (byDefault: string) =>
  addressSchema
    .transform((url) => url.replace(/\/+$/, ''))
    .default(byDefault)
    .meta({ examples: [byDefault] });

const tokenSchema = (description: string, example: string) =>
  shaped(textSchema(8, 512), TOKEN_PATTERN, 'Must be visible ASCII without blanks.').meta({
    description,
    examples: [example],
  });

const slackSchema = z
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
      api_url: apiSchema(PROVIDER_APIS.slack),
    }),
  ])
  .meta({ id: 'SlackConfigInput', description: 'An incoming webhook, or a bot.' });

const emailSchema = z
  .strictObject({
    to: z
      .array(shaped(textSchema(3, 254), EMAIL_PATTERN, 'Must be an email address.'))
      .min(1)
      .max(MAX_ADDRESSES)
      .meta({ examples: [['oncall@example.com']] }),
  })
  .meta({ id: 'EmailConfigInput', description: 'Who gets it.' });

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

const webhookSchema = z
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

const pagerdutySchema = z
  .strictObject({
    routing_key: tokenSchema('The integration key.', '0123456789abcdef0123456789abcdef'),
    api_url: apiSchema(PROVIDER_APIS.pagerduty),
  })
  .meta({ id: 'PagerdutyConfigInput', description: 'A service of PagerDuty, by Events API v2.' });

const CONFIGS = {
  slack: slackSchema,
  email: emailSchema,
  webhook: webhookSchema,
  pagerduty: pagerdutySchema,
};

const shared = {
  name: textSchema(1, 200).meta({ description: 'Name for people.', examples: ['on call'] }),
  is_default: z.boolean().default(false).meta({
    description: 'Whether rules that name the kind alone mean this channel; the first of a kind always is.',
  }),
  enabled: z.boolean().default(true).meta({ description: 'Whether anything is sent.' }),
};

/** The body of a new channel. */
export const channelInputSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('slack'), ...shared, config: slackSchema }),
    z.strictObject({ kind: z.literal('email'), ...shared, config: emailSchema }),
    z.strictObject({ kind: z.literal('webhook'), ...shared, config: webhookSchema }),
    z.strictObject({ kind: z.literal('pagerduty'), ...shared, config: pagerdutySchema }),
  ])
  .meta({ id: 'ChannelInput', description: 'A channel as it is created.' });

/** The body of a change: a JSON merge patch. For the document; `applyChannelPatch` checks the outcome. */
export const channelPatchSchema = z
  .strictObject({
    name: shared.name.optional(),
    is_default: z.boolean().optional(),
    enabled: z.boolean().optional(),
    config: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Fields to change; a masked value that is sent back as it was read keeps the secret.',
    }),
  })
  .meta({
    id: 'ChannelPatch',
    description: 'A JSON merge patch (RFC 7396).',
    examples: [
      { name: 'second line', config: { webhook_url: 'https://hooks.slack.com/services/T000/B000/YYYY' } },
    ],
  });

/** The fields that a client may set, after defaults. A webhook's secret is null where the server is to generate one. */
export type ChannelDefinition = ReadChannel & { name: string; is_default: boolean; enabled: boolean };

type ReadChannel =
  | Exclude<KindAndConfig, { kind: 'webhook' }>
  | { kind: 'webhook'; config: z.output<typeof webhookSchema> };

const READ_ONLY = ['id', 'kind', 'version', 'created_at', 'updated_at', 'last_delivery', 'warnings'];

type Read = { channel: ChannelDefinition } | { errors: Fault[] };

const outerSchema = z.strictObject({ kind: z.enum(CHANNEL_KINDS), ...shared, config: z.looseObject({}) });

/** The channel that the body of a new one spells, or its faults. */
export function readChannelInput(input: unknown): Read {
  const outer = outerSchema.safeParse(input);
  const faults = outer.success ? [] : toFaults(outer.error, 'body', input, outerSchema).map(readOnly);
  const known = z.looseObject({ kind: z.enum(CHANNEL_KINDS), config: z.looseObject({}) }).safeParse(input);
  const config = known.success ? CONFIGS[known.data.kind].safeParse(known.data.config) : undefined;
  if (known.success && config?.error)
    faults.push(...configFaults(known.data.kind, config.error, known.data.config));
  if (!outer.success || !config?.success) return { errors: faults.slice(0, MAX_FAULTS) };
  return { channel: { ...outer.data, config: config.data } as ChannelDefinition };
}

/** `channel` as changed by a JSON merge patch, or the faults of the patch and of what it would lead to. */
export function applyChannelPatch(channel: ChannelDefinition & KindAndConfig, patch: unknown): Read {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return readChannelInput(patch);
  const fixed = Object.keys(patch).filter((name) => READ_ONLY.includes(name));
  if (fixed.length > 0) return { errors: fixed.map((name) => readOnlyFault(`/${name}`)) };
  const merged = mergePatch(channel, patch) as Record<string, unknown>;
  const read = readChannelInput({ ...merged, config: keepMasked(channel, merged['config']) });
  if ('errors' in read) return read;
  const elsewhere = secretsSentElsewhere(channel, read.channel as KindAndConfig);
  if (elsewhere.length === 0) return read;
  return {
    errors: elsewhere.map((path) => ({
      in: 'body',
      path: `/config/${path}`,
      code: 'required',
      message: 'Must be given again, since it would be sent to another server.',
    })),
  };
}

/** Faults of a configuration. Of the two forms of Slack's, those of the form that was meant. */
function configFaults(
  kind: keyof typeof CONFIGS,
  error: z.ZodError,
  config: Record<string, unknown>,
): Fault[] {
  const meant =
    kind === 'slack' ? slackSchema.options[Object.hasOwn(config, 'webhook_url') ? 0 : 1] : undefined;
  const faults = toFaults(meant?.safeParse(config).error ?? error, 'body', config, meant ?? CONFIGS[kind]);
  return faults.map((fault) => ({ ...fault, path: `${jsonPointer(['config'])}${fault.path}` }));
}

function readOnly(fault: Fault): Fault {
  return fault.code === 'unknown_field' && READ_ONLY.includes(fault.path.slice(1))
    ? readOnlyFault(fault.path)
    : fault;
}

function readOnlyFault(path: string): Fault {
  return { in: 'body', path, code: 'read_only', message: 'Is set by the server, or once.' };
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}

/** Headers of the connection, of the message and of the signature are set by deliveries alone. */
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
