import type { RequestHandler } from 'express';
import type { CommitSignal } from '../process/commit-signal.ts';

/** Announces each request that may have changed something, once it was answered. */
export function announceCommits(commits: Pick<CommitSignal, 'emit'>): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') response.once('close', () => commits.emit());
    next();
  };
}
