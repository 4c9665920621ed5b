import { openStore, type Store, type StoreOptions } from '@tidewatch/database/connection';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';

/** The statement timeout, which limits the load that an investigation puts on the database, ms. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** The max number of connections for the writes of a run, its claim, the queue and the events. */
const MAX_CONNECTIONS = 4;

/** The investigator's own connections, and the options with which its thread opens more. */
export interface InvestigatorStore extends Store {
  address: StoreOptions;
}

/** Opens the connections; `database` logs in as the role of the investigator. */
export async function openInvestigatorStore(
  lifecycle: Lifecycle,
  database: StoreOptions,
): Promise<InvestigatorStore> {
  const address: StoreOptions = {
    ...database,
    applicationName: 'tidewatch-investigator',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  const store = await lifecycle.openClosable('store of the investigator', () =>
    openStore({ ...address, max: MAX_CONNECTIONS }),
  );
  return { ...store, address };
}
