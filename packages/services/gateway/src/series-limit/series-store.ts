import type { Sql } from '@tidewatch/database/connection';
import {
  countActiveSeries,
  findKnownParts,
  findKnownSeries,
  type KnownPartSeries,
  type KnownSeries,
} from '@tidewatch/store/series/active-series';

/** Reads the stored series of organizations. Rejects while the database is unavailable. */
export interface SeriesStore {
  /** Active series of an organization. */
  count(organizationId: string): Promise<number>;
  /** Active series of some hosts. */
  known(organizationId: string, hosts: readonly string[]): Promise<KnownSeries[]>;
  /** Active series of the parts of some hosts. */
  knownParts(organizationId: string, hosts: readonly string[]): Promise<KnownPartSeries[]>;
}

/** `clock` in ms since the epoch. */
export function seriesOfStore(sql: Sql, clock: () => number): SeriesStore {
  return {
    count: (organizationId) => countActiveSeries(sql, organizationId, clock()),
    known: (organizationId, hosts) => findKnownSeries(sql, organizationId, hosts, clock()),
    knownParts: (organizationId, hosts) => findKnownParts(sql, organizationId, hosts, clock()),
  };
}
