import type { Sql } from '@tidewatch/database/connection';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Claim, ClaimLostError, renewClaim } from '@tidewatch/store/investigations/claim';

/** How long a claim lasts without renewal by default, ms. */
export const LEASE_MS = 10_000;

export interface RenewalOptions {
  sql: Sql;
  logger: Logger;
  /** How long a claim lasts without renewal, ms. Default `LEASE_MS`. */
  leaseMs?: number;
}

/** Renews the claim during the run and aborts the run if it is lost. Returns a function that ends the renewal. */
export function renewDuringRun(held: Claim, abort: AbortController, options: RenewalOptions): () => void {
  const { sql, logger, leaseMs = LEASE_MS } = options;
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    timer = setTimeout(async () => {
      try {
        if (!(await renewClaim(sql, held, leaseMs)))
          abort.abort(new ClaimLostError(`the claim of ${held.id} was lost`));
      } catch (error) {
        logger.debug(
          { err: error, investigation: held.id },
          'could not renew the claim of an investigation, retrying',
        );
      }
      if (!abort.signal.aborted && timer !== undefined) schedule();
    }, leaseMs / 10);
    timer.unref();
  };
  schedule();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
