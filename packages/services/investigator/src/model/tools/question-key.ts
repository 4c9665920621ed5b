import { createHash } from 'node:crypto';

/** The name under which evidence stands among the `stats` of what a model asked for. */
export const QUESTION_STAT = 'question';

/**
 * Tells a question from others without its words, which are a model's: so a record shows none of them, and a replay finds
 * what was answered then.
 */
export function questionKey(tool: string, question: object): string {
  return createHash('sha256')
    .update(`${tool} ${JSON.stringify(question)}`)
    .digest('hex')
    .slice(0, 16);
}
