import { createHash } from 'node:crypto';

/** The entry of `stats` with the key of the query by which evidence was read. */
export const QUESTION_STAT = 'question';

/**
 * Identifies a query of a model without its text, which must not be stored because it comes from a model. A replay finds
 * the stored result by this key.
 */
export function questionKey(tool: string, question: object): string {
  return createHash('sha256')
    .update(`${tool} ${JSON.stringify(question)}`)
    .digest('hex')
    .slice(0, 16);
}
