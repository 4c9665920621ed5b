import type { Delivery } from '@tidewatch/bus/bus';
import type { Sql } from '@tidewatch/database/connection';
import type { ArchiveAfter } from '@tidewatch/domain/health/archiving';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';

/** The position of a bus record, and when it was published (ms). */
export type DeliveredAt = Pick<Delivery<unknown>, 'topic' | 'partition' | 'offset' | 'publishedAt'>;

export interface EngineOptions {
  directory: ServiceDirectory;
  sql: Sql;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  /** How long hosts may be offline before they are archived. */
  archiveAfter: ArchiveAfter;
  /** Public address of the product, without a trailing slash; null omits links from events. */
  publicUrl: string | null;
  newId: (prefix: 'alr' | 'evt') => string;
  /** Whether other processes evaluate too, so that this one owns nothing before an assignment. Default false. */
  awaitsAssignment?: boolean;
  /** Max transitions of one organization in one transaction; the others follow in later ones. Default 500. */
  alertsAtOnce?: number;
  /** Max pending and active alert instances of one organization; samples begin no more. Default no limit. */
  alertInstancesLimit?: number;
}
