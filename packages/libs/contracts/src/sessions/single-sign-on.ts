import { z } from 'zod';
import { MAX_RETURN_PATH, returnPath } from '../console/return-path.ts';
import { addFault } from '../problems/add-fault.ts';
import { textSchema } from '../values/text.ts';

/** Where the identity provider sends browsers to after the sign-in; registered with the provider. */
export const SIGN_ON_CALLBACK_PATH = '/sign-in/callback';

/** The body that begins a sign-in with the identity provider. */
export const signOnInputSchema = z
  .strictObject({
    purpose: z
      .enum(['sign_in', 'confirm'])
      .default('sign_in')
      .meta({
        description:
          '`sign_in`, or `confirm` to let the session that asks use its privileged scopes for another time; the user then has to sign in again.',
        examples: ['sign_in'],
      }),
    to: textSchema(1, MAX_RETURN_PATH)
      .default('/')
      .meta({
        description: 'The page of the console that opens afterwards, a path of this origin.',
        examples: ['/alerts?status=active'],
      }),
    read_only: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the session gets the scope `read` alone.', examples: [false] }),
  })
  .superRefine(({ to }, context) => {
    const path = returnPath(to);
    if (path !== undefined && path.length > MAX_RETURN_PATH) {
      const message = `Must have at most ${MAX_RETURN_PATH} characters as browsers spell it.`;
      addFault(context, 'too_long', message, ['to']);
    }
    if (path !== undefined) return;
    const message = 'Must be the path of a page of the console, such as /alerts.';
    addFault(context, 'no_page', message, ['to']);
  })
  .meta({
    id: 'SignOnInput',
    description: 'A sign-in with the identity provider as it begins.',
    examples: [{ to: '/alerts?status=active' }],
  });

export const signOnSchema = z
  .object({
    url: z.string().meta({
      description: 'The address of the identity provider that the browser opens next.',
      examples: ['https://id.example.com/authorize?client_id=tidewatch&state=8Jt…'],
    }),
  })
  .meta({ id: 'SignOn', description: 'A sign-in that goes on at the identity provider, for ten minutes.' });

/** The ways in which this installation signs people in. */
export const signInMethodsSchema = z
  .object({
    key: z.boolean().meta({ description: 'Whether a key signs in.', examples: [true] }),
    single_sign_on: z
      .object({
        name: z.string().meta({ description: 'What users call the provider.', examples: ['Example SSO'] }),
      })
      .nullable()
      .meta({ description: 'The identity provider; null where none is configured.' }),
  })
  .meta({ id: 'SignInMethods', description: 'How people sign in here.' });

export type SignInMethods = z.infer<typeof signInMethodsSchema>;
