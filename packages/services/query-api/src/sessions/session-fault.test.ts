import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord, RequiredScope, Scope, SessionRecord } from '@tidewatch/contracts/values/access';
import { describe, expect, it } from 'vitest';
import { grantedScopes } from './granted-scopes.ts';
import { type SessionKey, sessionFault, withinKey } from './session-fault.ts';

const NOW = Date.UTC(2026, 10, 27);
const IDLE_MS = 14 * DAY_MS;

function sessionOf(
  scopes: Scope[],
  session: Partial<SessionRecord> = {},
  key: Partial<KeyRecord> = {},
): SessionKey {
  return {
    ...keyRecordOf({ scopes, ...key }),
    session: {
      id: 'ses_1',
      kind: 'person',
      keyScopes: scopes,
      lastUsedAt: NOW - 1,
      confirmedUntil: NOW + 1,
      expiresAt: NOW + 1,
      ...session,
    },
  };
}

describe('sessionFault', () => {
  it.each<[string, SessionKey, RequiredScope, string | undefined]>([
    ['reads with read', sessionOf(['read']), 'read', undefined],
    ['writes with write', sessionOf(['write']), 'write', undefined],
    ['lacks write with read', sessionOf(['read']), 'write', 'scope_missing'],
    ['manages while it is confirmed', sessionOf(['admin']), 'admin', undefined],
    ['may anything that any key may', sessionOf(['operator']), 'any', undefined],
    [
      'needs a confirmation to manage',
      sessionOf(['admin'], { confirmedUntil: NOW }),
      'admin',
      'confirmation_needed',
    ],
    [
      'needs a confirmation to operate',
      sessionOf(['operator'], { confirmedUntil: NOW }),
      'operator',
      'confirmation_needed',
    ],
    [
      'writes with admin without a confirmation',
      sessionOf(['admin'], { confirmedUntil: NOW }),
      'write',
      undefined,
    ],
    [
      'reads with admin without a confirmation',
      sessionOf(['admin'], { confirmedUntil: NOW }),
      'read',
      undefined,
    ],
    [
      'needs no confirmation for what it lacks',
      sessionOf(['read'], { confirmedUntil: NOW }),
      'admin',
      'scope_missing',
    ],
    ['ends at its end', sessionOf(['read'], { expiresAt: NOW }), 'read', 'session_ended'],
    ['ends when it is idle', sessionOf(['read'], { lastUsedAt: NOW - IDLE_MS }), 'read', 'session_ended'],
    ['goes on just before', sessionOf(['read'], { lastUsedAt: NOW - IDLE_MS + 1 }), 'read', undefined],
    [
      'of a display is never idle',
      sessionOf(['read'], { kind: 'display', lastUsedAt: NOW - 100 * DAY_MS }),
      'read',
      undefined,
    ],
    ['ends with its key', sessionOf(['read'], {}, { revokedAt: NOW }), 'read', 'session_ended'],
    ['ends at the end of its key', sessionOf(['read'], {}, { expiresAt: NOW }), 'read', 'session_ended'],
    ['goes on until its key is revoked', sessionOf(['read'], {}, { revokedAt: NOW + 1 }), 'read', undefined],
  ])('a session %s', (_, session, scope, fault) => {
    expect(sessionFault(session, scope, { now: NOW, idleMs: IDLE_MS })).toBe(fault);
  });
});

describe('withinKey', () => {
  it.each<[Scope[], Scope[], Scope[]]>([
    [['read'], ['admin'], ['read']],
    [['admin', 'operator'], ['admin'], ['admin']],
    [['write'], ['read'], []],
    [['read', 'write'], ['write'], ['read', 'write']],
  ])('of a session with %j whose key has %j leaves %j', (scopes, keyScopes, left) => {
    expect(withinKey(sessionOf(scopes, { keyScopes })).scopes).toEqual(left);
  });
});

describe('grantedScopes', () => {
  it.each<[string, Parameters<typeof grantedScopes>[0], Scope[]]>([
    ['a key', { key: { scopes: ['ingest', 'admin'] }, kind: 'person', readOnly: false }, ['admin']],
    ['a key, read only', { key: { scopes: ['admin'] }, kind: 'person', readOnly: true }, ['read']],
    ['an operator key', { key: { scopes: ['operator'] }, kind: 'person', readOnly: false }, ['operator']],
    [
      'a link with less',
      { key: { scopes: ['admin'] }, scopes: ['write'], kind: 'person', readOnly: false },
      ['write'],
    ],
    [
      'a link whose key has less now',
      { key: { scopes: ['read'] }, scopes: ['read', 'write'], kind: 'person', readOnly: false },
      ['read'],
    ],
    [
      'a display',
      { key: { scopes: ['admin'] }, scopes: ['admin'], kind: 'display', readOnly: false },
      ['read'],
    ],
  ])('of %s', (_, grant, scopes) => {
    expect(grantedScopes(grant)).toEqual(scopes);
  });

  it.each<[string, Parameters<typeof grantedScopes>[0], string]>([
    [
      'a key for agents',
      { key: { scopes: ['ingest'] }, kind: 'person', readOnly: false },
      'This key can only send samples.',
    ],
    [
      'an operator key, read only',
      { key: { scopes: ['operator'] }, kind: 'person', readOnly: true },
      'The key lacks the scope read.',
    ],
    [
      'a link whose key lacks its scopes now',
      { key: { scopes: ['read'] }, scopes: ['write'], kind: 'person', readOnly: false },
      'The key lacks the scope read.',
    ],
  ])('refuses %s', (_, grant, detail) => {
    expect(() => grantedScopes(grant)).toThrow(expect.objectContaining({ code: 'scope_missing', detail }));
  });
});
