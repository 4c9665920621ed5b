import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import type { Transaction } from '@tidewatch/store/database/connection';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';

export interface PlanningOptions {
  /** How long alerts of one rule gather, ms; 30 s by default. */
  groupedForMs?: number;
  newId: (prefix: IdPrefix) => string;
  /** The silences that are active; one for each process. */
  silences: SilenceSet;
  /** The channels that organizations have, by organization: all that may be a default, and those that are named. */
  readChannels(
    tx: Transaction,
    organizations: readonly string[],
    named: readonly string[],
  ): Promise<Map<string, KnownChannel[]>>;
}
