import { randomBytes } from 'node:crypto';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_SNAPSHOT_HOSTS } from '@tidewatch/contracts/services/fleet-snapshot';
import type { Sql } from '@tidewatch/database/connection';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import { type Fleet, type FleetRead, nextFleet } from '@tidewatch/domain/fleet/fleet-changes';
import { withUpdate } from '@tidewatch/domain/fleet/fleet-update';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { readChangedColumns } from '@tidewatch/store/fleet/changed-columns';
import { readFleetColumns } from '@tidewatch/store/fleet/columns';
import { LRUCache } from 'lru-cache';
import { OrganizationShare } from '../../http/organization-share.ts';

const READ_EVERY_MS = 1_000;
/** A fleet, or a tag of it, that nobody asks for is forgotten after this time. */
const FORGOTTEN_AFTER_MS = 60_000;
/** All hosts are read this often, ms, whatever has changed: a restored database numbers its transactions differently. */
const READ_ALL_EVERY_MS = 60_000;
/** Tags of one organization that are read together at most: those that were asked for last. */
const MAX_TAGS = 30;
/** Hosts that a process remembers at most, of all organizations. */
const MAX_HOSTS = 200_000;

/** A fleet as it was read at `readAt` (ms). */
export interface KnownFleet {
  fleet: Fleet;
  readAt: number;
  /** When all of it was last read, ms; later reads were of hosts that may have changed. */
  allReadAt: number;
  /** What `readChangedColumns` starts from: the oldest transaction that was not over at the last read. */
  seen: string;
  /** When each of its tags was last asked for, ms. */
  askedAt: ReadonlyMap<string, number>;
}

/** Reads the hosts of an organization with these tags; what was read within a second is shared. */
export type ReadFleet = (organizationId: string, tags: readonly string[]) => Promise<KnownFleet>;

export interface FleetCacheOptions extends Pick<ServiceEnvironment, 'clock' | 'metrics'> {
  sql: Sql;
}

/**
 * Reads the fleet of each organization at most once a second for each choice of tags, however many ask, and one read at a time:
 * after the first read only what may have changed.
 * Rejects with 422 where there are too many hosts, and with the error of the database, which is not remembered.
 */
export function createFleetCache({ sql, clock, metrics }: FleetCacheOptions): ReadFleet {
  const known = new LRUCache<string, KnownFleet>({
    ttl: FORGOTTEN_AFTER_MS,
    ttlAutopurge: true,
    maxSize: MAX_HOSTS,
    maxEntrySize: MAX_SNAPSHOT_HOSTS + 1,
    sizeCalculation: ({ fleet }) => fleet.columns.id.length + 1,
  });
  const running = new Map<string, Promise<KnownFleet>>();
  const share = new OrganizationShare({
    resource: 'fleet snapshots',
    metrics,
    capacity: 2,
    maxPerOrganization: 1,
    maxWaitingPerOrganization: 10,
    maxWaitMs: 20_000,
  });

  async function readNext(organizationId: string, asked: readonly string[]): Promise<KnownFleet> {
    const now = clock();
    const before = known.get(organizationId);
    const askedAt = tagsToRead(before?.askedAt ?? new Map(), asked, now);
    const tags = [...askedAt.keys()];
    const { allReadAt, ...read } = await share.run(organizationId, new AbortController().signal, async () => {
      const changed = await readChanged(before, organizationId, tags, now);
      if (changed !== null) return changed;
      const all = await readFleetColumns(sql, organizationId, tags, MAX_SNAPSHOT_HOSTS + 1);
      return { ...all, allReadAt: now };
    });
    if (read.columns.id.length > MAX_SNAPSHOT_HOSTS) throw tooManyHosts();
    const source = randomBytes(6).toString('base64url');
    const fleet = nextFleet(before?.fleet ?? null, read, source);
    const next = { fleet, readAt: now, allReadAt, seen: read.seen, askedAt };
    known.set(organizationId, next);
    return next;
  }

  /** The hosts of before with what changed since; null where all have to be read. */
  async function readChanged(
    before: KnownFleet | undefined,
    organizationId: string,
    tags: readonly string[],
    now: number,
  ): Promise<(FleetRead & { seen: string; allReadAt: number }) | null> {
    if (before === undefined) return null;
    const { fleet, allReadAt, seen } = before;
    const isRecent = now >= allReadAt && now - allReadAt < READ_ALL_EVERY_MS;
    if (!isRecent || !tags.every((tag) => fleet.tags.has(tag))) return null;
    const update = await readChangedColumns(sql, organizationId, tags, seen);
    const all = withUpdate(fleet, update);
    return all && { ...all, seen: update.seen, allReadAt };
  }

  return async (organizationId, tags) => {
    for (;;) {
      const now = clock();
      const last = known.get(organizationId);
      if (last !== undefined && isFresh(last, now) && tags.every((tag) => last.fleet.tags.has(tag)))
        return last;
      const current = running.get(organizationId);
      if (current !== undefined) {
        await current;
        continue;
      }
      const next = beyondRequest(() => readNext(organizationId, tags)).finally(() =>
        running.delete(organizationId),
      );
      running.set(organizationId, next);
      return next;
    }
  };
}

function isFresh({ readAt }: KnownFleet, now: number): boolean {
  return now >= readAt && now - readAt < READ_EVERY_MS;
}

/** The tags to read next, with the time at which each was last asked for. */
function tagsToRead(
  askedAt: ReadonlyMap<string, number>,
  asked: readonly string[],
  now: number,
): ReadonlyMap<string, number> {
  const all = new Map([...askedAt].filter(([, at]) => now - at < FORGOTTEN_AFTER_MS));
  for (const tag of asked) all.set(tag, now);
  return new Map([...all].sort(([, one], [, other]) => other - one).slice(0, MAX_TAGS));
}

function tooManyHosts(): ProblemError {
  const detail = `The organization has more than ${MAX_SNAPSHOT_HOSTS} hosts, and a snapshot holds no more: read the list of services, or export it.`;
  return new ProblemError('unsupported', { detail });
}
