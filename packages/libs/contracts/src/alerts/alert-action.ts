import { z } from 'zod';
import { textSchema } from '../values/text.ts';

/** The max number of comments on one alert, all of which lists contain. */
export const MAX_COMMENTS = 100;

/** The body of `acknowledge` and `resolve`, which is optional. */
export const alertActionSchema = z
  .strictObject({
    comment: textSchema(1, 2_000)
      .nullable()
      .default(null)
      .meta({
        description: `Kept in the alert's \`comments\`, at most ${MAX_COMMENTS} of them; the same text of the same key once.`,
        examples: ['The disk was full; cleaned up.'],
      }),
  })
  .meta({ id: 'AlertAction', description: 'What is said along with the action.' });

export type AlertAction = z.output<typeof alertActionSchema>;

/** The body of a comment. */
export const alertCommentSchema = z
  .strictObject({
    comment: textSchema(1, 2_000).meta({
      description: `Kept in the alert's \`comments\`, at most ${MAX_COMMENTS} of them; the same text of the same key once.`,
      examples: ['The disk was full; cleaned up.'],
    }),
  })
  .meta({ id: 'AlertComment', description: 'What is said about an alert.' });
