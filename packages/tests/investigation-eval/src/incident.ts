import type { FindingKind } from '@tidewatch/contracts/investigations/finding';
import type { Facts, Subject } from '@tidewatch/domain/investigation/facts';

/** The class of an incident: a resource is used up, a fault spreads from host to host, or there is no cause to find. */
export type Sort = 'exhaustion' | 'propagation' | 'none';

/** The expected cause. A null host matches any host; a null metric or kind matches any. */
export interface Cause {
  readonly host: string | null;
  readonly subject: Subject['kind'];
  /** All names that count as the cause; null if the cause is a host itself. */
  readonly names: readonly string[] | null;
  readonly metrics: readonly string[] | null;
  readonly kind: FindingKind | null;
}

/**
 * Where the trouble lies in what is known: within the window of its alert, from the first sample of a window that a person asks
 * about, or from the first sample that a host sends at all.
 */
export type View = 'alert' | 'amid the trouble' | 'new host';

export interface Setting {
  readonly seed: number;
  /** How strongly metrics vary at random; 1 is the ordinary strength. */
  readonly noise: number;
  readonly intervalMs: number;
  /** Whether hosts change loudly without being the cause, some are idle, metrics are missing and history may be short. */
  readonly unquiet?: boolean;
  /** The view of the incident; the window of the alert by default. */
  readonly view?: View;
  /** The time between the alert and the start of its investigation, ms. */
  readonly delayMs: number;
}

export interface Incident {
  readonly facts: Facts;
  /** The expected cause; null if the data does not show one, so that the right answer is none. */
  readonly cause: Cause | null;
}

export interface Kind {
  readonly name: string;
  readonly sort: Sort;
  make(setting: Setting): Incident;
}
