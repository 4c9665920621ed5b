import type { RequestHandler } from 'express';
import type { LiveReads } from '../process/live-reads.ts';

/** Lets each request wait until the live values that were held back are written. */
export function awaitLiveRows(reads: Pick<LiveReads, 'beforeRead'>): RequestHandler {
  return async (_request, _response, next) => {
    await reads.beforeRead();
    next();
  };
}
