import type { ServerResponse } from 'node:http';
import { RequestAbortedError } from './read-body.ts';

/** A signal that is aborted once the client has gone before it was answered. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort(new RequestAbortedError('the client has gone'));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
