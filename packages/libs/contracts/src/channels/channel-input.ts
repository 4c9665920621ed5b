import { z } from 'zod';
import { type Fault, jsonPointer } from '../problems/problem.ts';
import { MAX_FAULTS, toFaults } from '../problems/validation.ts';
import { mergePatch } from '../values/merge-patch.ts';
import { textSchema } from '../values/text.ts';
import { keepMasked, secretsSentElsewhere } from './channel-secrets.ts';
import {
  CHANNEL_KIND_FACTS,
  CHANNEL_KINDS,
  type ChannelKind,
  factsOf,
  type KindAndConfig,
  type KindAndInput,
} from './kinds/channel-kinds.ts';

const shared = {
  name: textSchema(1, 200).meta({ description: 'Name for people.', examples: ['on call'] }),
  is_default: z.boolean().default(false).meta({
    description: 'Whether rules that name the kind alone mean this channel; the first of a kind always is.',
  }),
  enabled: z.boolean().default(true).meta({ description: 'Whether anything is sent.' }),
};

const INPUTS = CHANNEL_KINDS.map((kind) =>
  z.strictObject({ kind: z.literal(kind), ...shared, config: CHANNEL_KIND_FACTS[kind].input }),
) as unknown as readonly [z.ZodObject<{ kind: z.ZodLiteral<ChannelKind> }>];

/** The body of a new channel. */
export const channelInputSchema = z
  .discriminatedUnion('kind', INPUTS)
  .meta({ id: 'ChannelInput', description: 'A channel as it is created.' });

/** The body of a change, a JSON merge patch, for the API document; `applyChannelPatch` validates the result. */
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

/** The fields that a client may set, after defaults. The secret of a webhook is null if the server must generate one. */
export type ChannelDefinition = KindAndInput & { name: string; is_default: boolean; enabled: boolean };

const READ_ONLY = ['id', 'kind', 'version', 'created_at', 'updated_at', 'last_delivery', 'warnings'];

type Read = { channel: ChannelDefinition } | { errors: Fault[] };

const outerSchema = z.strictObject({ kind: z.enum(CHANNEL_KINDS), ...shared, config: z.looseObject({}) });

/** Reads the body of a new channel; returns the channel or its faults. */
export function readChannelInput(input: unknown): Read {
  const outer = outerSchema.safeParse(input);
  const faults = outer.success ? [] : toFaults(outer.error, 'body', input, outerSchema).map(readOnly);
  const known = z.looseObject({ kind: z.enum(CHANNEL_KINDS), config: z.looseObject({}) }).safeParse(input);
  const config = known.success
    ? CHANNEL_KIND_FACTS[known.data.kind].input.safeParse(known.data.config)
    : undefined;
  if (known.success && config?.error)
    faults.push(...configFaults(known.data.kind, config.error, known.data.config));
  if (!outer.success || !config?.success) return { errors: faults.slice(0, MAX_FAULTS) };
  return { channel: { ...outer.data, config: config.data } as ChannelDefinition };
}

/** Applies a JSON merge patch to a channel; returns the changed channel, or the faults of the patch or of its result. */
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

/** The faults of a configuration; if it may have several forms, those of the form that was meant. */
function configFaults(kind: ChannelKind, error: z.ZodError, config: Record<string, unknown>): Fault[] {
  const { input, formOf } = factsOf(kind);
  const meant = formOf?.(config);
  const faults = toFaults(meant?.safeParse(config).error ?? error, 'body', config, meant ?? input);
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
