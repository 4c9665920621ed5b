import type { Retention } from '@tidewatch/domain/rollup/tier';

/** What the query API needs to know of the installation. */
export interface QueryApiConfig {
  /** How long each tier is kept, ms; what the writer enforces and what a series is clipped to. */
  retention: Retention;
}
