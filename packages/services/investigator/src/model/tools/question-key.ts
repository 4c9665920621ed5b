import { createHash } from 'node:crypto';

/** The entry of `stats` with the key of the model's question. */
export const QUESTION_STAT = 'question';

/**
 * Identifies a question without its text, which comes from a model and must not appear in the record. A replay finds the
 * recorded answer by it.
 */
export function questionKey(tool: string, question: object): string {
  return createHash('sha256')
    .update(`${tool} ${JSON.stringify(question)}`)
    .digest('hex')
    .slice(0, 16);
}
