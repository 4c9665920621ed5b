import type { FindingKind } from '@tidewatch/contracts/investigations/finding';
import type { Facts, Subject } from '@tidewatch/domain/investigation/facts';

/** Where an incident belongs: a resource that is used up, a fault that passes through hosts, or nothing to be found. */
export type Sort = 'exhaustion' | 'propagation' | 'none';

/** The expected cause. A null host matches any host; a null metric or kind matches any. */
export interface Cause {
  readonly host: string | null;
  readonly subject: Subject['kind'];
  /** Names that all mean it; null for a host itself. */
  readonly names: readonly string[] | null;
  readonly metrics: readonly string[] | null;
  readonly kind: FindingKind | null;
}

export interface Setting {
  readonly seed: number;
  /** How restless metrics are: 1 is ordinary. */
  readonly noise: number;
  readonly intervalMs: number;
  /** How long after the alert fired it is asked. */
  readonly delayMs: number;
}

export interface Incident {
  readonly facts: Facts;
  /** Null where nothing can be known, and saying so is right. */
  readonly cause: Cause | null;
}

export interface Kind {
  readonly name: string;
  readonly sort: Sort;
  make(setting: Setting): Incident;
}
