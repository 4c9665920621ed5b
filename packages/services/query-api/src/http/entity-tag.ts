import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Request, Response } from 'express';

/**
 * The entity tag of a response: the version of the object if it has one, and a digest of the body. A conditional read thus
 * detects any change of the body, and a conditional write changes of the version.
 */
export function entityTag(version: number | null, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 16);
  return version === null ? `"${digest}"` : `"${version}-${digest}"`;
}

/** Sends `value` with its entity tag, or 304 if If-None-Match contains it. `version` is null for objects without one. */
export function sendTagged(
  request: Request,
  response: Response,
  value: object,
  version: number | null,
): void {
  const body = JSON.stringify(value);
  sendBody(request, response, body, entityTag(version, body));
}

/** After this many characters of entries, writing yields to the event loop. */
const TURN_CHARACTERS = 262_144;

/** Sends a page of a list with its entity tag, or 304. Yields to the event loop, because entries may be large. */
export async function sendTaggedList(
  request: Request,
  response: Response,
  noun: string,
  entries: readonly object[],
  pagination: object,
): Promise<void> {
  const digest = createHash('sha256');
  const pieces: Buffer[] = [];
  let piece = `{${JSON.stringify(noun)}:[`;
  const flush = () => {
    const bytes = Buffer.from(piece);
    digest.update(bytes);
    pieces.push(bytes);
    piece = '';
  };
  for (const [index, entry] of entries.entries()) {
    piece += `${index === 0 ? '' : ','}${JSON.stringify(entry)}`;
    if (piece.length < TURN_CHARACTERS) continue;
    flush();
    await setImmediate();
  }
  piece += `],"pagination":${JSON.stringify(pagination)}}`;
  flush();
  sendBody(request, response, Buffer.concat(pieces), `"${digest.digest('base64url').slice(0, 16)}"`);
}

function sendBody(request: Request, response: Response, body: string | Buffer, tag: string): void {
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (isUnchanged(request, tag)) {
    response.status(304).end();
    return;
  }
  response.type('json').send(body);
}

/** Whether If-None-Match of a read names this tag, so that the answer is 304. */
export function isUnchanged(request: Request, tag: string): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const named = reads ? tagsOf(request.headers['if-none-match']) : undefined;
  return named?.some((each) => each === '*' || each === tag) ?? false;
}

/** Throws 412 unless If-Match is absent, is `*`, or contains the version. */
export function requireMatch(request: Request, version: number): void {
  const tags = tagsOf(request.headers['if-match']);
  if (tags === undefined) return;
  if (tags.some((tag) => tag === '*' || versionOf(tag) === version)) return;
  throw new ProblemError('precondition_failed');
}

// The tags in a header. Weak tags count too, because a proxy that compresses makes tags weak without changing the version.
function tagsOf(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

function versionOf(tag: string): number | undefined {
  const match = /^"(\d{1,10})(?:-[\w-]{1,64})?"$/.exec(tag);
  return match === null ? undefined : Number(match[1]);
}
