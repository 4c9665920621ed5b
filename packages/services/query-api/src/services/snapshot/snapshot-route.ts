import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import type { SERVICE_ROUTES } from '@tidewatch/contracts/services/service-routes';
import { toIso } from '@tidewatch/contracts/time/time';
import { changesSince, type FleetChanges, type FleetToken } from '@tidewatch/domain/fleet/fleet-changes';
import { decodeCursor, encodeCursor } from '@tidewatch/domain/page/cursor';
import { LRUCache } from 'lru-cache';
import { FAST_BROTLI } from '../../http/compress.ts';
import { type Compress, EncodedBody } from '../../http/encoded-body.ts';
import { isUnchanged } from '../../http/entity-tag.ts';
import type { HandlerOf } from '../../http/mount-routes.ts';
import type { QueryApiOptions } from '../../query-api-options.ts';
import { createFleetCache, type KnownFleet } from './fleet-cache.ts';
import { snapshotBody } from './snapshot-body.ts';

const LIST = 'fleet-snapshot';
/** Bodies of all organizations that are kept for further requests, bytes and ms. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const BODIES_FOR_MS = 2_000;

const COMPRESS: Compress = {
  br: (body) => promisify(brotliCompress)(body, { params: FAST_BROTLI }),
  gzip: (body) => promisify(gzip)(body, { level: constants.Z_BEST_SPEED }),
};

/** Answers `GET /api/v1/services/snapshot`. Requests with the same tags and the same token share one body. */
export function createSnapshotHandler({
  sql,
  clock,
  metrics,
}: QueryApiOptions): HandlerOf<typeof SERVICE_ROUTES, 'getFleetSnapshot'> {
  const readFleet = createFleetCache({ sql, clock, metrics });
  const bodies = new LRUCache<string, Promise<EncodedBody>>({
    ttl: BODIES_FOR_MS,
    ttlAutopurge: true,
    maxSize: MAX_BODY_BYTES,
    // Grows by the size of the body once it is known.
    sizeCalculation: () => 1,
  });

  return async ({ query, organizationId, request, response }) => {
    const tags = query.tags.toSorted();
    const token = query.since === undefined ? null : tokenOf(query.since, tags);
    const known = await readFleet(organizationId, tags);
    const changes = changesSince(known.fleet, tags, token);
    const { source, upTo } = known.fleet;
    const key = JSON.stringify([organizationId, source, upTo, tags, changes.full ? null : token]);
    let made = bodies.get(key);
    if (made === undefined) {
      made = makeBody(known, tags, changes, key);
      bodies.set(key, made);
      made.then(
        ({ body }) => bodies.set(key, made as Promise<EncodedBody>, { size: 2 * body.length + 1 }),
        () => bodies.delete(key),
      );
    }
    const body = await made;
    response.set('Cache-Control', 'private, no-cache').set('ETag', body.tagFor(request));
    if (isUnchanged(request, body.tag)) response.status(304).end();
    else await body.send(request, response.type('json'));
  };
}

async function makeBody(
  { fleet, readAt }: KnownFleet,
  tags: readonly string[],
  changes: FleetChanges,
  key: string,
): Promise<EncodedBody> {
  const head = {
    as_of: toIso(readAt),
    token: encodeCursor({ list: LIST, filters: { tags }, key: [fleet.source, fleet.from, fleet.upTo] }),
  };
  const body = await snapshotBody(head, fleet, changes, tags);
  // The key names the body: one of the same source and time holds the same hosts.
  return new EncodedBody(body, `"${hash('sha256', key, 'base64url').slice(0, 16)}"`, COMPRESS);
}

/** The read that a client has; null where it has one of other tags, so that all hosts are answered. */
function tokenOf(text: string, tags: readonly string[]): FleetToken | null {
  const decoded = decodeCursor(text, { list: LIST, filters: { tags } }, ['string', 'number', 'number']);
  if ('key' in decoded) {
    const [source, from, upTo] = decoded.key as [string, number, number];
    return { source, from, upTo };
  }
  if (decoded.fault === 'other_filters') return null;
  throw faultProblem('query', '/since', decoded.fault, 'Is not a token of a snapshot.');
}
