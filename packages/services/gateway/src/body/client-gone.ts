import type { ServerResponse } from 'node:http';
import { RequestAbortedError } from './read-body.ts';

/** Returns a signal that is aborted when the client disconnects before the response is complete. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort(new RequestAbortedError('the client disconnected'));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
