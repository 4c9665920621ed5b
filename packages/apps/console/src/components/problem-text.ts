import { ApiProblem, type Fault, UnreachableError } from '@tidewatch/api-client/problem';

export interface ProblemText {
  title: string;
  detail: string;
  /** The id of the request in the server's log. */
  requestId: string | null;
  faults: readonly Fault[];
  /** When the same request may succeed, ms from the answer; null if the answer does not say. */
  retryAfterMs: number | null;
}

/** The text that the console shows for a failed request, in the words of the server. */
export function problemText(error: unknown): ProblemText {
  const none = { requestId: null, faults: [], retryAfterMs: null };
  if (error instanceof UnreachableError)
    return {
      ...none,
      title: 'Tidewatch does not answer',
      detail:
        error.reason === 'timeout'
          ? 'The request took too long. It may have been carried out.'
          : 'There is no connection to the server. What was loaded before stays on this page.',
    };
  if (!(error instanceof ApiProblem))
    return {
      ...none,
      title: 'The page failed',
      detail: error instanceof Error ? error.message : String(error),
    };
  const { requestId, errors: faults, retryAfterMs } = error;
  return { title: titleOf(error), detail: error.detail, requestId, faults, retryAfterMs };
}

function titleOf({ status, code }: ApiProblem): string {
  if (status === 404) return 'Not found';
  if (status === 401) return 'Signed out';
  if (status === 403) return code === 'scope_missing' ? 'The key in use may not do this' : 'Not allowed';
  if (status === 429) return 'Too many requests';
  if (status === 412) return 'Changed meanwhile';
  if (status === 422) return 'The request has faults';
  if (status >= 500) return 'Tidewatch cannot answer now';
  return 'The request was refused';
}
