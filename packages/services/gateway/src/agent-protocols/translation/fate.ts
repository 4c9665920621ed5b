import { OMISSIONS, type Omission, type Rejection } from '../series/point-sink.ts';

/** What becomes of the points of a series. */
export type Fate = { kind: 'stored' } | Omitted | Rejected;

/** Taken and not stored. `host` is the number of the host of the series, as far as it is known. */
export interface Omitted {
  kind: 'omitted';
  reason: Omission;
  host: number | undefined;
}

/** Refused for ever. `host` is the number of the host that has too many, if it is refused for that. */
export interface Rejected {
  kind: 'rejected';
  reason: Rejection;
  example: string;
  host: number | undefined;
}

export const STORED: Fate = { kind: 'stored' };

/** That series are left out of hosts which are not named, for each of `OMISSIONS`. */
export const OMITTED: readonly Omitted[] = OMISSIONS.map((reason) => ({
  kind: 'omitted',
  reason,
  host: undefined,
}));
