import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Transaction } from '@tidewatch/database/connection';
import type { KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';

export interface PlanningOptions {
  /** How long alerts of one rule are collected for a digest, ms. Default 30,000. */
  groupedForMs?: number;
  newId: (prefix: IdPrefix) => string;
  /** The active silences, cached once per process. */
  silences: SilenceSet;
  /** Returns, by organization, the channels that may be a default, and those in `named`. */
  readChannels(
    tx: Transaction,
    organizations: readonly string[],
    named: readonly string[],
  ): Promise<Map<string, KnownChannel[]>>;
}
