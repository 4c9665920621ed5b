import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Request, Response } from 'express';

/**
 * The entity tag of a response: the version of the object where it has one, then a digest of the whole body. So a
 * conditional read notices every change of the body, a conditional write only changes of the version.
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
  sendBody(request, response, body, entityTag(version, body));
}

/** Characters of entries that are written before the event loop runs other work. */
const TURN_CHARACTERS = 262_144;

/** Answers a page of a list with its tag, or 304; an entry may be large, and all of them together take long to write. */
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

/** Throws 412 unless If-Match is absent, is `*`, or names the version. */
export function requireMatch(request: Request, version: number): void {
  const tags = tagsOf(request.headers['if-match']);
  if (tags === undefined) return;
  if (tags.some((tag) => tag === '*' || versionOf(tag) === version)) return;
  throw new ProblemError('precondition_failed');
}

// A proxy that compresses makes tags weak; the version in them is still valid.
function tagsOf(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

function versionOf(tag: string): number | undefined {
  const match = /^"(\d{1,10})(?:-[\w-]{1,64})?"$/.exec(tag);
  return match === null ? undefined : Number(match[1]);
}
