import type { components } from '@tidewatch/api-client/generated/api';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { includesScope, SCOPES, type Scope } from '@tidewatch/contracts/values/access';
import type { Zone } from '../../../components/time/time-format.ts';
import { timeOfWallClock } from '../../../components/time/wall-clock.ts';
import type { Draft } from '../../../form/form-state.ts';

export type KeyInput = components['schemas']['KeyInput'];

/** When a new key ends: never, after so many days, or at the time of a field. */
export const ENDS = [
  ['', 'never'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['at', 'at a time'],
] as const;

/** The fields of the form. `ends` is one of ENDS, `ends_at` the text of a field for a time. */
export const NEW_KEY: Draft = {
  name: '',
  scopes: [],
  hosts: undefined,
  rate_limit_per_minute: null,
  ends: '',
  ends_at: '',
};

/** The body that creates the key. What the user left out or mistyped is for the server to refuse. */
export function keyBody(draft: Draft, now: number, zone: Zone): KeyInput {
  const { name, scopes, hosts, rate_limit_per_minute } = draft;
  return {
    name,
    scopes,
    expires_at: endOf(draft, now, zone),
    ...(hosts !== undefined && { hosts }),
    ...(rate_limit_per_minute !== null && { rate_limit_per_minute }),
  } as KeyInput;
}

function endOf({ ends, ends_at }: Draft, now: number, zone: Zone): string | null {
  if (ends === '' || ends === undefined) return null;
  if (ends !== 'at') return new Date(now + Number(ends) * DAY_MS).toISOString();
  const at = timeOfWallClock(Date.parse(`${String(ends_at)}Z`), zone);
  // A field that is not filled in is a fault of the end, which the server names.
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** The scopes that somebody with these scopes may give to a key. */
export function grantable(own: readonly Scope[]): readonly Scope[] {
  return SCOPES.filter((scope) => includesScope(own, scope));
}
