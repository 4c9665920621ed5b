import { openStore, type Store, type StoreOptions } from '@tidewatch/store/connection';

/** What takes longer is given up: an investigation must not be what a database is busy with. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** A small pool of the investigator's own: for each run one that reads, besides those that write and follow events. */
export function openInvestigatorStore(options: StoreOptions, runsAtOnce: number): Store {
  return openStore({
    applicationName: 'tidewatch-investigator',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...options,
    max: runsAtOnce + 2,
  });
}
