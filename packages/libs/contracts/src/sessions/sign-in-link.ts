import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../time/duration.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { SCOPES } from '../values/access.ts';
import { textSchema } from '../values/text.ts';
import { SESSION_KINDS, SESSION_SCOPES } from './session.ts';

/** How long a link works by default, and at most, ms. */
export const LINK_MS = 15 * MINUTE_MS;
export const MAX_LINK_MS = 7 * DAY_MS;

/** Where the console signs in; the secret follows in the fragment, which no log, proxy or `Referer` contains. */
const SIGN_IN_PATH = '/sign-in#link=';

/** The address of a link. `base` is that of Tidewatch, with or without a slash at its end. */
export function signInUrl(base: string, secret: string): string {
  return `${base.replace(/\/+$/, '')}${SIGN_IN_PATH}${secret}`;
}

/** The body of a new sign-in link. Times are milliseconds since the epoch. */
export const signInLinkInputSchema = z
  .strictObject({
    kind: z
      .enum(SESSION_KINDS)
      .default('person')
      .meta({
        description:
          'Whom it signs in: a `person`, or a `display`, which only reads and stays signed in for a year.',
        examples: ['person'],
      }),
    name: textSchema(1, 200).meta({
      description: 'Whom or what it is for.',
      examples: ['Anna on her phone'],
    }),
    scopes: z
      .array(z.enum(SESSION_SCOPES))
      .min(1)
      .max(SCOPES.length)
      .transform((given) => SESSION_SCOPES.filter((scope) => given.includes(scope)))
      .meta({
        description:
          'What the session may do: what the key that makes the link may do, or less. Of a display `read`.',
        examples: [['read']],
      }),
    expires_at: timestampInputSchema.optional().meta({
      description: 'Until when it works, at most seven days from now; 15 minutes from now by default.',
    }),
  })
  .meta({
    id: 'SignInLinkInput',
    description: 'A sign-in link as it is created.',
    examples: [{ kind: 'person', name: 'Anna on her phone', scopes: ['read'] }],
  });

export type SignInLinkDefinition = z.output<typeof signInLinkInputSchema>;

export const signInLinkSchema = z
  .object({
    url: z.string().meta({
      description:
        'The address to open, shown only here. Its secret follows `#link=`, and signs in one browser, once.',
      examples: ['https://tidewatch.example.com/sign-in#link=kT3uV9w0x1y2z3A4B5C6D7E8F9G0H1I2J3K4L5M6N7O'],
    }),
    expires_at: timestampSchema,
  })
  .meta({ id: 'SignInLink', description: 'A one-time link that signs in to the console.' });

export type SignInLink = z.infer<typeof signInLinkSchema>;
