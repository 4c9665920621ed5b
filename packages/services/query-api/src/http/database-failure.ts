import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { FairShareError } from '@tidewatch/runtime/sharing/fair-share-error';
import { LimitReachedError } from '@tidewatch/store/limits/limit-reached';

/** SQLSTATE classes in which the database cannot serve now but may later: connection, resources, shutdown, cancelled. */
const TRANSIENT = /^(?:08|53|57|58)/;
const DRIVER = /^(?:CONNECT|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENOTFOUND|EAI_)/;

/** Maps a lost or overloaded database to a 503 and a reached limit to a 422; returns any other error unchanged. */
export function translateDatabaseFailure(error: unknown): unknown {
  if (error instanceof LimitReachedError) return limitProblem(error);
  if (error instanceof FairShareError) return shareProblem(error);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (error instanceof ProblemError || typeof code !== 'string') return error;
  // With 40001 and 40P01 the transaction lost a conflict and may be retried.
  const passes =
    TRANSIENT.test(code) || code === '40001' || code === '40P01' || code === '25P03' || DRIVER.test(code);
  if (!passes) return error;
  return new ProblemError('database_unavailable', { headers: { 'Retry-After': '2' }, cause: error });
}

function limitProblem(error: LimitReachedError): ProblemError {
  const { message } = error;
  return new ProblemError('limit_reached', {
    detail: message,
    errors: [{ in: 'body', path: '', code: 'limit_reached', message }],
    cause: error,
  });
}

/** The problem if all connections are in use, by the organization itself or by others. */
function shareProblem(error: FairShareError): ProblemError {
  const code = error.code === 'organization_full' ? 'organization_busy' : 'overloaded';
  return new ProblemError(code, { headers: { 'Retry-After': '2' }, cause: error });
}
