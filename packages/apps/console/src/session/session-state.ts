import type { components } from '@tidewatch/api-client/generated/api';
import { useSyncExternalStore } from 'react';

export type Identity = components['schemas']['Identity'];

/** Why the dialog "Sign in" is open. `detail` is the server's word on a link that did not work. */
export interface SignedOut {
  kind: 'signed-out';
  reason: 'never' | 'expired' | 'elsewhere' | 'link';
  detail?: string;
}

export type SessionState = { kind: 'unknown' } | { kind: 'signed-in'; identity: Identity } | SignedOut;

let state: SessionState = { kind: 'unknown' };
/** Who was signed in last in this page, if anybody. */
let formerIdentity: Identity | null = null;
/** Counts the beginnings and ends of sessions in this page, so that late answers to an earlier one are known. */
let epoch = 0;
/** True while a link signs in: requests that were refused meanwhile say nothing. */
let isSigningIn = false;
const listeners = new Set<() => void>();
const signInListeners = new Set<(identity: Identity, former: Identity | null) => void>();

export function sessionState(): SessionState {
  return state;
}

export function useSession(): SessionState {
  return useSyncExternalStore(onSession, sessionState);
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` after each sign-in of a page that was signed out before, in this tab or another. */
export function onSignedIn(listener: (identity: Identity, former: Identity | null) => void): void {
  signInListeners.add(listener);
}

/** The server knows who asks: after a sign-in, or because the session of the browser is still valid. */
export function sessionFound(identity: Identity): void {
  const wasSignedOut = state.kind === 'signed-out';
  const former = formerIdentity;
  formerIdentity = identity;
  isSigningIn = false;
  if (wasSignedOut || former?.session?.id !== identity.session?.id) epoch += 1;
  set({ kind: 'signed-in', identity });
  if (wasSignedOut || (former !== null && former.session?.id !== identity.session?.id))
    for (const listener of signInListeners) listener(identity, former);
}

/** The server answered 401, or the user signed out: the dialog opens over the page. */
export function sessionLost(cause: Omit<SignedOut, 'kind'> = { reason: 'expired' }): void {
  if (state.kind === 'signed-out' || (isSigningIn && cause.reason === 'expired')) return;
  isSigningIn = false;
  epoch += 1;
  const reason = cause.reason === 'expired' && formerIdentity === null ? 'never' : cause.reason;
  set({ ...cause, kind: 'signed-out', reason });
}

/** A sign-in by a link goes on; `sessionFound` and `sessionLost` end it. */
export function signInBegun(): void {
  isSigningIn = true;
}

/** A number for the session, or the time without one, in which a request is sent now. */
export function sessionEpoch(): number {
  return epoch;
}

/** Resolves when somebody is signed in, after the server refused a request that was sent in the session `sentIn`. */
export function signedIn(sentIn: number): Promise<void> {
  // Somebody signed in while the refusal was on its way.
  if (state.kind === 'signed-in' && sentIn !== epoch) return Promise.resolve();
  sessionLost();
  return new Promise((resolve) => {
    const stop = onSession(() => {
      if (state.kind !== 'signed-in') return;
      stop();
      resolve();
    });
  });
}

function set(next: SessionState): void {
  state = next;
  for (const listener of [...listeners]) listener();
}
