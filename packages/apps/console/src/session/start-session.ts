import type { QueryClient } from '@tanstack/react-query';
import { problemText } from '../components/problem-text.ts';
import { clearEventLog } from '../live/event-log.ts';
import { restartLive } from '../live/live.ts';
import { noteVersion } from '../upgrade/upgrade-state.ts';
import { findSession, signIn } from './session-requests.ts';
import { onSession, onSignedIn, sessionLost, sessionState, signInBegun } from './session-state.ts';
import { listenToTabs } from './session-tabs.ts';

/** How often the page reads who is signed in, ms. */
const REREAD_MS = 600_000;

/** Signs in by the link, or finds the session of this browser, and keeps all tabs of it together. */
export function startSession(client: QueryClient, link: string | null): void {
  onSignedIn((identity, former) => {
    restartLive();
    // Another organization has nothing in common with what is cached.
    if (former !== null && former.organization.id !== identity.organization.id) {
      clearEventLog();
      void client.resetQueries();
    } else void client.invalidateQueries();
  });
  onSession(() => {
    const state = sessionState();
    if (state.kind === 'signed-in') noteVersion(state.identity.server.version);
  });
  listenToTabs((announcement) => {
    if (announcement === 'signed-out') sessionLost({ reason: 'elsewhere' });
    else find();
  });
  if (link === null) find();
  else {
    signInBegun();
    signIn({ link, read_only: false }).then(restartLive, (error: unknown) =>
      sessionLost({ reason: 'link', detail: problemText(error).detail }),
    );
  }
  setInterval(() => document.hidden || find(), REREAD_MS);
}

/** The stream was refused: the session has ended, or began while the refusal was on its way. */
export function checkSession(): void {
  findSession()
    .then(() => sessionState().kind === 'signed-in' && restartLive())
    .catch(() => undefined);
}

function find(): void {
  // A server that does not answer is shown by the freshness of the page.
  findSession().catch(() => undefined);
}
