import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { textQuery } from '../queries/query.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { SCOPES } from '../values/access.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

const MAX_PATTERNS = 100;
const MAX_RATE = 1_000_000_000;
const MAX_GRACE_HOURS = 8_760;
/** The max number of hosts that the record of a key lists: those for which it was used last. */
export const MAX_RECENT_HOSTS = 100;

const nameSchema = textSchema(1, 200).meta({
  description: 'What people call it.',
  examples: ['agents in eu-1'],
});

const scopeSchema = z.enum(SCOPES);

const scopesMeta = {
  description:
    '`ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation.',
  examples: [['ingest']],
};

const hostsSchema = z
  .array(textSchema(1, BOUNDS.host))
  .min(1)
  .max(MAX_PATTERNS)
  .nullable()
  .meta({
    description:
      'Patterns of the hosts that it may report for, `*` matching any run of characters; null: any.',
    examples: [['web-*']],
  });

const rateSchema = z
  .int()
  .min(1)
  .max(MAX_RATE)
  .nullable()
  .meta({
    description: 'Requests a minute; null: the default of the installation.',
    examples: [null],
  });

/** What keys are for. */
export const KEY_KINDS = ['program', 'person'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];

/** The body of a new key. Times are ms since the epoch. */
export const keyInputSchema = z
  .strictObject({
    name: nameSchema,
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(SCOPES.length)
      .transform((given) => SCOPES.filter((scope) => given.includes(scope)))
      .meta(scopesMeta),
    expires_at: timestampInputSchema
      .nullable()
      .default(null)
      .meta({ description: 'Until when it works; null: until it is revoked.', examples: [null] }),
    rate_limit_per_minute: rateSchema.default(null),
    hosts: hostsSchema.default(null),
  })
  .meta({
    id: 'KeyInput',
    description: 'A key as it is created.',
    examples: [{ name: 'agents in eu-1', scopes: ['ingest'], hosts: ['web-*'] }],
  });

export type KeyDefinition = z.output<typeof keyInputSchema>;

/** The body of a rotation of a key. */
export const keyRotationSchema = z
  .strictObject({
    grace_hours: z
      .number()
      .min(0)
      .max(MAX_GRACE_HOURS)
      .default(24)
      .meta({
        description: 'Hours for which the former key goes on working.',
        examples: [24],
      }),
  })
  .meta({ id: 'KeyRotation', description: 'How a key is rotated.', examples: [{ grace_hours: 24 }] });

export const keySchema = z
  .object({
    id: idSchema('key'),
    kind: z.enum(KEY_KINDS).meta({
      description:
        '`program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.',
      examples: ['program'],
    }),
    name: nameSchema,
    prefix: z.string().meta({
      description:
        'How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them.',
      examples: ['tw_0197f3a1'],
    }),
    scopes: z.array(scopeSchema).meta(scopesMeta),
    expires_at: timestampSchema.nullable(),
    revoked_at: timestampSchema.nullable(),
    rate_limit_per_minute: rateSchema,
    hosts: hostsSchema,
    last_used_at: timestampSchema.nullable().meta({
      description: 'When it was used last, noted at most once a minute; null: not yet.',
    }),
    created_at: timestampSchema,
    created_by: actorSchema
      .nullable()
      .meta({ description: 'The key that made it; null where the installation did.' }),
    replaces: idSchema('key')
      .nullable()
      .meta({ description: 'The key whose place it took in a rotation; null: of none.', examples: [null] }),
    replaced_by: idSchema('key')
      .nullable()
      .meta({
        description:
          'The key that took its place in a rotation, while it works until `expires_at`; null: none did.',
        examples: [null],
      }),
  })
  .meta({ id: 'Key', description: 'An API key, without its secret.' });

export type Key = z.infer<typeof keySchema>;

export const keyDetailSchema = keySchema
  .extend({
    recent_hosts: z
      .array(z.object({ host: z.string().meta({ examples: ['web-01'] }), last_used_at: timestampSchema }))
      .meta({
        description: `Hosts that it reported for, the latest first, at most ${MAX_RECENT_HOSTS}; noted at most once a minute.`,
      }),
  })
  .meta({ id: 'KeyDetail', description: 'An API key and the hosts that used it.' });

export type KeyDetail = z.infer<typeof keyDetailSchema>;

const secretSchema = z.string().meta({
  description: 'The key itself, shown only here.',
  examples: [`tw_0197f3a1c0de7b3c9a51d2e4f6a80b1c_${'0123456789abcdef'.repeat(4)}`],
});

export const createdKeySchema = keySchema
  .extend({ secret: secretSchema })
  .meta({ id: 'CreatedKey', description: 'A new API key with its secret.' });

export type CreatedKey = z.infer<typeof createdKeySchema>;

export const rotatedKeySchema = createdKeySchema
  .extend({ replaces: idSchema('key') })
  .meta({ id: 'RotatedKey', description: 'The key that takes the place of another.' });

export type RotatedKey = z.infer<typeof rotatedKeySchema>;

export const keysPageSchema = z
  .object({ keys: z.array(keySchema), pagination: paginationSchema })
  .meta({ id: 'KeysPage', description: 'Keys by creation, oldest first; revoked ones are among them.' });

/** What a list of keys can be narrowed to. */
export const KEY_STATUSES = ['valid', 'replaced', 'expired', 'revoked'] as const;

export const keysQuerySchema = z
  .object({
    ...pageQuery,
    q: textQuery(200, 'Only keys whose name contains this text, whatever its case.'),
    status: z
      .enum(KEY_STATUSES)
      .optional()
      .meta({
        description:
          'Only keys that are neither revoked nor expired (`valid`), those of them that a rotation replaced (`replaced`), or those that are `expired` or `revoked`.',
        examples: ['valid'],
      }),
  })
  .check(cursorOrOffset);

export type KeysQuery = z.output<typeof keysQuerySchema>;
