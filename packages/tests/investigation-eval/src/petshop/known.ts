import type { Facts } from '@tidewatch/domain/investigation/facts';

/** A case with its known cause; null for a healthy window. */
export interface Known {
  readonly scenario: string;
  readonly facts: Facts;
  readonly cause: string | null;
}
