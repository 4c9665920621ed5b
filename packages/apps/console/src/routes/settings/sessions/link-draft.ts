import type { components } from '@tidewatch/api-client/generated/api';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Draft } from '../../../form/form-state.ts';

type LinkInput = components['schemas']['SignInLinkInput'];

/** For how long a link works, in hours. */
export const VALIDITIES = [
  ['0.25', '15 minutes'],
  ['2', '2 hours'],
  ['24', 'a day'],
  ['168', 'seven days'],
] as const;

/** What a session that a link makes may do. */
export const LINK_SCOPES = ['read', 'write', 'admin', 'operator'] as const satisfies readonly Scope[];

export const NEW_LINK: Draft = { name: '', scopes: ['read'], hours: '0.25' };

/** The API accepts seven days from its own clock, which may be behind by the time that a request takes. */
const MARGIN_MS = 60_000;

/** The body that makes a link; that of a display only reads. */
export function linkBody(draft: Draft, kind: 'person' | 'display', now: number): LinkInput {
  const { name, scopes, hours } = draft;
  const end = now + Number(hours) * HOUR_MS - (hours === '168' ? MARGIN_MS : 0);
  return {
    kind,
    name,
    scopes: kind === 'display' ? ['read'] : scopes,
    expires_at: new Date(end).toISOString(),
  } as LinkInput;
}
