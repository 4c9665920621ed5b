import type { components } from '@tidewatch/api-client/generated/api';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { plainClient } from '../api/client.ts';
import { forgetVisited } from '../palette/visited.ts';
import { settleConfirmation } from './confirmation.ts';
import { sessionEpoch, sessionFound, sessionLost } from './session-state.ts';
import { announceSession } from './session-tabs.ts';

type Schemas = components['schemas'];
export type SignedIn = Schemas['SignedIn'];

/** What signing in needs beside the header that the client sends: the document names it. */
const CONSOLE = { header: { 'X-Tidewatch-Console': '1' } } as const;

/** Exchanges a key or the secret of a link for a session. The secret is kept nowhere. Throws what the client throws. */
export async function signIn(body: Schemas['SignIn']): Promise<SignedIn> {
  const answer = await plainClient.post('/api/v1/session', {
    params: CONSOLE,
    body,
  });
  sessionFound(answer);
  announceSession('signed-in');
  return answer;
}

/** Begins a sign-in with the identity provider, or a confirmation; returns the address at which it goes on. */
export async function beginSignOn(body: Schemas['SignOnInput']): Promise<string> {
  const { url } = await plainClient.post('/api/v1/session/sign-on', { params: CONSOLE, body });
  return url;
}

/** Reads how people sign in here. */
export function readSignInMethods(): Promise<Schemas['SignInMethods']> {
  return plainClient.get('/api/v1/session/methods', { params: CONSOLE });
}

/**
 * Reads who is signed in; the dialog opens if nobody is. An answer that was on its way while somebody signed in or out is of an
 * earlier session, and changes nothing. Other failures are thrown.
 */
export async function findSession(): Promise<void> {
  const sentIn = sessionEpoch();
  try {
    const identity = await plainClient.get('/api/v1/session');
    if (sentIn === sessionEpoch()) sessionFound(identity);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
    if (sentIn === sessionEpoch()) sessionLost();
  }
}

/** Lets the session use privileged scopes for another time; the requests that waited for it continue. */
export async function confirmSession(key: string): Promise<void> {
  sessionFound(await plainClient.post('/api/v1/session/confirm', { body: { key } }));
  settleConfirmation(true);
}

/** Ends the session in all tabs of this browser. */
export async function signOut(): Promise<void> {
  try {
    await plainClient.delete('/api/v1/session');
  } catch (error) {
    // The session has ended already.
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
  }
  forgetVisited();
  sessionLost({ reason: 'elsewhere' });
  announceSession('signed-out');
}
