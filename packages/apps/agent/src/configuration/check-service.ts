import { ApiProblem } from '@tidewatch/api-client/problem';
import type { PostPayloads } from '../sending/post-payloads.ts';
import { classifyAnswer, classifyFailure } from '../sending/send-outcome.ts';

export interface CheckedService {
  url: string;
  key: string;
  post: PostPayloads;
}

/**
 * Sends a request without payloads to the service, which checks the key before it refuses the empty list. Returns why the agent
 * could not report there; undefined if it could.
 */
export async function checkService({ url, key, post }: CheckedService): Promise<string | undefined> {
  try {
    const outcome = classifyAnswer(await post('[]', key, new AbortController().signal));
    return outcome.kind === 'retry' ? `${url}: ${outcome.reason}` : undefined;
  } catch (error) {
    const outcome = classifyFailure(error, 1);
    if (outcome.kind === 'refused') return undefined;
    if (error instanceof ApiProblem && outcome.kind === 'retry' && outcome.refusesKey)
      return `the key is refused: ${outcome.reason}`;
    return error instanceof Error ? error.message : String(error);
  }
}
