import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Response } from 'express';

const signals = new WeakMap<Response, AbortSignal>();

/** A signal that is aborted when the client disconnects before the response, so that its work can stop. */
export function clientGone(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const abort = () => controller.abort(new ProblemError('request_timeout'));
  if (response.destroyed) abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) abort();
    });
  signals.set(response, controller.signal);
  return controller.signal;
}
