import { ApiProblem, UnreachableError } from '@tidewatch/api-client/problem';
import { NotFoundError } from './not-found-error.ts';
import { UsageError } from './usage-error.ts';

/** What scripts learn from how the command ended. */
export const EXIT = {
  done: 0,
  /** Something else went wrong, the doctor found a fault, or some of what was sent was refused. */
  failed: 1,
  /** The arguments are wrong; nothing was asked. */
  usage: 2,
  notFound: 3,
  /** No key, a key that is not valid, or one without the scope. */
  notAllowed: 4,
  /** No answer, or one that says to come back later. */
  unreachable: 5,
  /** The service refuses what was sent as invalid. */
  invalid: 6,
  /** The object is in a state that does not allow it, or was changed meanwhile. */
  conflict: 7,
  /** A limit is used up. */
  limited: 8,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

const BY_STATUS: Readonly<Record<number, number>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  408: EXIT.unreachable,
  409: EXIT.conflict,
  412: EXIT.conflict,
  413: EXIT.invalid,
  415: EXIT.invalid,
  422: EXIT.invalid,
  429: EXIT.limited,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

/** The exit code that an error amounts to. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof UnreachableError) return EXIT.unreachable;
  if (error instanceof ApiProblem) return BY_STATUS[error.status] ?? EXIT.failed;
  return EXIT.failed;
}
