import type { components } from '@tidewatch/api-client/generated/api';
import type { Scope } from '@tidewatch/contracts/values/access';

export type Key = components['schemas']['Key'];
export type KeyDetail = components['schemas']['KeyDetail'];

export type KeyState = 'valid' | 'replaced' | 'expired' | 'revoked';

/** What a key is at `now`, ms: a replaced one works until the grace period of its rotation ends. */
export function keyState(
  { revoked_at, expires_at, replaced_by }: Pick<Key, 'revoked_at' | 'expires_at' | 'replaced_by'>,
  now: number,
): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'expired';
  return replaced_by === null ? 'valid' : 'replaced';
}

/** The word of each state, and the status whose shape it has. */
export const STATES: Readonly<Record<KeyState, { status: string; word: string }>> = {
  valid: { status: 'healthy', word: 'valid' },
  replaced: { status: 'warning', word: 'rotated' },
  expired: { status: 'archived', word: 'expired' },
  revoked: { status: 'archived', word: 'revoked' },
};

/** What the list can be narrowed to, by the parameter of the API. */
export const FILTERS = [
  ['valid', 'valid'],
  ['replaced', 'rotated and still valid'],
  ['expired', 'expired'],
  ['revoked', 'revoked'],
  ['all', 'all'],
] as const satisfies readonly (readonly [KeyState | 'all', string])[];

/** What each scope opens. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  ingest: 'sends samples',
  read: 'reads everything but keys and the audit log',
  write: 'also changes rules, silences, channels and alerts',
  admin: 'everything of the organization',
  operator: 'the organizations of the installation',
};
