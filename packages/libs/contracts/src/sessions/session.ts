import { z } from 'zod';
import { keySchema } from '../keys/key.ts';
import { organizationSchema } from '../organizations/organization.ts';
import { addFault } from '../problems/add-fault.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { SCOPES } from '../values/access.ts';
import { idSchema } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

/** What a session may do: never `ingest`, since hosts report with keys. */
export const SESSION_SCOPES = SCOPES.filter((scope) => scope !== 'ingest');

/** Scopes that a session may use for a limited time after sign-in or confirmation. */
export const PRIVILEGED_SCOPES = ['admin', 'operator'] as const;

export const SESSION_KINDS = ['person', 'display'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** The value of `X-Tidewatch-Console`, which forms, images and links of other sites cannot send. */
export const CONSOLE_HEADER = 'X-Tidewatch-Console';

const MAX_SECRET = 512;

const kindSchema = z.enum(SESSION_KINDS).meta({
  description:
    '`person`, or `display` for a screen on a wall, which only reads and stays signed in for a year.',
  examples: ['person'],
});

const nameSchema = textSchema(1, 200);

const keyTextSchema = textSchema(1, MAX_SECRET).meta({
  description: 'The text of the key.',
  examples: [`tw_0197f3a1c0de7b3c9a51d2e4f6a80b1c_${'0123456789abcdef'.repeat(4)}`],
});

const linkTextSchema = textSchema(1, MAX_SECRET).meta({
  description: 'The secret of a sign-in link: what follows `#link=`.',
  examples: ['kT3uV9w0x1y2z3A4B5C6D7E8F9G0H1I2J3K4L5M6N7O'],
});

/** The body of a sign-in: a key, or the secret of a sign-in link. */
export const signInSchema = z
  .strictObject({
    key: keyTextSchema.optional(),
    link: linkTextSchema.optional(),
    read_only: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the session gets the scope `read` alone.', examples: [false] }),
  })
  .superRefine(({ key, link }, context) => {
    if ((key === undefined) !== (link === undefined)) return;
    const message = key === undefined ? 'Give a key or a link.' : 'Give a key or a link, not both.';
    addFault(context, 'key_or_link', message, ['key']);
  })
  .meta({
    id: 'SignIn',
    description: 'A key, or the secret of a sign-in link: exactly one of both.',
    examples: [{ key: `tw_0197f3a1c0de7b3c9a51d2e4f6a80b1c_${'0123456789abcdef'.repeat(4)}` }],
  });

export const confirmationSchema = z.strictObject({ key: keyTextSchema }).meta({
  id: 'SessionConfirmation',
  description: 'The key of the session.',
  examples: [{ key: `tw_0197f3a1c0de7b3c9a51d2e4f6a80b1c_${'0123456789abcdef'.repeat(4)}` }],
});

const scopesSchema = z.array(z.enum(SESSION_SCOPES)).meta({
  description: 'What the session may do: what its key may do, or less, and never `ingest`.',
  examples: [['read']],
});

export const sessionSchema = z
  .object({
    id: idSchema('ses'),
    kind: kindSchema,
    name: nameSchema.nullable().meta({
      description: 'The name of the link that made it; null where a key did.',
      examples: ['Anna on her phone'],
    }),
    key: keySchema.pick({ id: true, name: true }).meta({ description: 'The key that it acts for.' }),
    scopes: scopesSchema,
    user_agent: z
      .string()
      .nullable()
      .meta({ description: 'The browser that signed in.', examples: ['Mozilla/5.0 (X11; Linux x86_64)'] }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Where the browser signed in from.', examples: ['203.0.113.7'] }),
    created_at: timestampSchema,
    last_used_at: timestampSchema.meta({
      description: 'When it was used last, noted at most once a minute.',
    }),
    confirmed_until: timestampSchema.meta({
      description: 'Until when `admin` and `operator` can be used without another confirmation.',
    }),
    expires_at: timestampSchema.meta({ description: 'When it ends, unless it is idle for too long before.' }),
    current: z.boolean().meta({ description: 'Whether this request comes from it.', examples: [true] }),
  })
  .meta({ id: 'Session', description: 'A browser that is signed in to the console.' });

export type Session = z.infer<typeof sessionSchema>;

export const sessionsPageSchema = z
  .object({ sessions: z.array(sessionSchema), pagination: paginationSchema })
  .meta({ id: 'SessionsPage', description: 'Sessions by creation, oldest first.' });

export const sessionsQuerySchema = z.object({ ...pageQuery }).check(cursorOrOffset);

const days = (of: string) => z.number().meta({ description: `Days for which ${of} kept.`, examples: [7] });

const serverSchema = z
  .object({
    version: z.string().meta({ examples: ['0.1.0'] }),
    time: timestampSchema.meta({ description: "The server's clock." }),
    public_url: z
      .string()
      .nullable()
      .meta({ description: 'TIDEWATCH_PUBLIC_URL.', examples: ['https://tidewatch.example.com'] }),
    retention: z
      .object({
        raw_days: days('samples are'),
        '1m_days': days('the rollup of 1 minute is'),
        '1h_days': days('the rollup of 1 hour is'),
        '1d_days': days('the rollup of 1 day is'),
      })
      .meta({ description: 'How long values are kept.' }),
    topology: z
      .enum(['embedded', 'distributed'])
      .meta({ description: 'One process, or one for each service.', examples: ['embedded'] }),
  })
  .meta({ description: 'The installation.' });

/** Who asks, and what of. */
export const identitySchema = z
  .object({
    session: sessionSchema
      .nullable()
      .meta({ description: 'The session that asks; null where a key was sent.' }),
    organization: organizationSchema.pick({ id: true, name: true }),
    key: keySchema.pick({ id: true, kind: true, name: true, scopes: true }),
    scopes: z
      .array(z.enum(SCOPES))
      .meta({ description: 'What this request may do.', examples: [['read', 'write']] }),
    confirmed_until: timestampSchema.nullable().meta({
      description: 'Until when the session may use `admin` and `operator`; null where a key was sent.',
    }),
    server: serverSchema,
  })
  .meta({ id: 'Identity', description: 'Who asks, with what, and which installation answers.' });

export type Identity = z.infer<typeof identitySchema>;

/** The answer of a sign-in. */
export const signedInSchema = identitySchema
  .extend({
    replaced: sessionSchema
      .pick({ id: true, kind: true, name: true, key: true })
      .extend({ organization: organizationSchema.pick({ id: true, name: true }) })
      .nullable()
      .meta({
        description: 'The session that this browser had before, which has ended; null where it had none.',
      }),
  })
  .meta({ id: 'SignedIn', description: 'The new session.' });

export type SignedIn = z.infer<typeof signedInSchema>;
