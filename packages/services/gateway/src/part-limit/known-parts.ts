import { setTimeout as sleep } from 'node:timers/promises';
import { seriesKey } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { KnownPartSeries } from '@tidewatch/store/series/active-series';
import { LRUCache } from 'lru-cache';
import type { SeriesStore } from '../series-limit/series-store.ts';
import { HostParts } from './host-parts.ts';

export interface KnownPartsOptions extends Pick<ServiceEnvironment, 'logger'> {
  store: Pick<SeriesStore, 'knownParts'>;
  /** The maximum time between publication and storage of a payload, ms. */
  settleMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
}

/** After this time what is known of a host is forgotten, ms, because parts may have become inactive or other gateways may know more. */
const REMEMBERED_MS = 600_000;
/** Maximum number of cached series of all hosts, and of hosts. */
const MAX_SERIES = 1_000_000;
const MAX_HOSTS = 200_000;
/** What a host counts of which only the shape of a payload is kept, in series. */
const SHAPE_SIZE = 8;
const MAX_SIZE = MAX_SERIES * SHAPE_SIZE;
/** Bounds the number of hosts: a cache with a number of entries has arrays of that length from its beginning. */
const MIN_SIZE = MAX_SIZE / MAX_HOSTS;
/** How long a payload may be on its way to the store in addition to `settleMs`, ms. */
const UNDER_WAY_MS = 10_000;
/** Maximum time to wait for the store, and the pause after a failure, ms. */
const READ_WITHIN_MS = 1_500;
const RETRY_AFTER_MS = 5_000;

/** A bounded cache of the parts of hosts, which are read from the store on demand. */
export class KnownParts {
  readonly #options: KnownPartsOptions;
  readonly #hosts = new LRUCache<string, HostParts>({ maxSize: MAX_SIZE });
  #failedAt = Number.NEGATIVE_INFINITY;
  #isReachable = true;

  constructor(options: KnownPartsOptions) {
    this.#options = options;
  }

  /** What is known of a host at `now` (ms); empty before anything is. */
  of(organizationId: string, host: string, now: number): HostParts {
    const known = this.#hosts.get(keyOf(organizationId, host));
    if (known !== undefined && (now - known.since < REMEMBERED_MS || this.#isUnderWay(known, now)))
      return known;
    const parts = new HostParts(now);
    this.keep(organizationId, host, parts);
    return parts;
  }

  /** Counts what is known of a host after a change of it. */
  keep(organizationId: string, host: string, parts: HostParts): void {
    this.#hosts.set(keyOf(organizationId, host), parts, {
      size: Math.max(MIN_SIZE, SHAPE_SIZE * (1 + parts.setSize)),
    });
  }

  /** Reads the stored parts of hosts. Resolves to false if the store does not answer in time, so that nothing is known. */
  async read(organizationId: string, hosts: readonly string[]): Promise<boolean> {
    const { store, logger, monotonic } = this.#options;
    if (monotonic() - this.#failedAt < RETRY_AFTER_MS) return false;
    try {
      const rows = await withinMs(store.knownParts(organizationId, hosts), READ_WITHIN_MS);
      this.#take(organizationId, hosts, rows);
    } catch (error) {
      this.#failedAt = monotonic();
      if (this.#isReachable)
        logger.warn(
          { err: error },
          'parts of hosts cannot be counted: the database is unavailable; none are refused meanwhile; retrying',
        );
      this.#isReachable = false;
      return false;
    }
    if (!this.#isReachable) logger.info('parts of hosts can be counted again');
    this.#isReachable = true;
    return true;
  }

  #take(organizationId: string, hosts: readonly string[], rows: readonly KnownPartSeries[]): void {
    const now = this.#options.monotonic();
    const stored = new Map<string, { subject: string; key: string }[]>(hosts.map((host) => [host, []]));
    for (const { host, kind, name, metric } of rows) {
      const subject = partSubject(kind, name);
      stored.get(host)?.push({ subject, key: seriesKey(subject, metric) });
    }
    for (const [host, series] of stored) {
      const parts = new HostParts(now, series);
      const before = this.#hosts.get(keyOf(organizationId, host));
      if (before !== undefined && this.#isUnderWay(before, now)) parts.takeOver(before);
      this.keep(organizationId, host, parts);
    }
  }

  /** Whether parts of a host may have been admitted that are not stored yet. */
  #isUnderWay({ addedAt }: HostParts, now: number): boolean {
    return now - addedAt < this.#options.settleMs + UNDER_WAY_MS;
  }
}

function keyOf(organizationId: string, host: string): string {
  return `${organizationId} ${host}`;
}

async function withinMs<T>(work: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
