import { hash } from 'node:crypto';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import type { Request, Response } from 'express';

/**
 * The entity tag of an answer: a digest of all of it, after the version of the object where it has one. So a conditional
 * read sees every change of what is answered, a conditional write only changes of the version.
 */
export function entityTag(version: number | null, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 16);
  return version === null ? `"${digest}"` : `"${version}-${digest}"`;
}

/** Answers `value` with its tag, or 304 where If-None-Match names it. `version` is null for what has none. */
export function sendTagged(
  request: Request,
  response: Response,
  value: object,
  version: number | null,
): void {
  const body = JSON.stringify(value);
  const tag = entityTag(version, body);
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && tagsOf(request.headers['if-none-match'])?.some((each) => each === '*' || each === tag)) {
    response.status(304).end();
    return;
  }
  response.type('json').send(body);
}

/** Throws 412 unless If-Match is absent, is `*`, or names the version. */
export function requireMatch(request: Request, version: number): void {
  const tags = tagsOf(request.headers['if-match']);
  if (tags === undefined) return;
  if (tags.some((tag) => tag === '*' || versionOf(tag) === version)) return;
  throw new ProblemError('precondition_failed');
}

// A proxy that compresses makes tags weak; the version in them still says what is meant.
function tagsOf(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

function versionOf(tag: string): number | undefined {
  const match = /^"(\d{1,10})(?:-[\w-]{1,64})?"$/.exec(tag);
  return match === null ? undefined : Number(match[1]);
}
