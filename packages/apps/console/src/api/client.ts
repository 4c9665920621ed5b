import { createTidewatchClient } from '@tidewatch/api-client/client';
import { noteServerDate } from '../components/time/clock.ts';
import { askConfirmation } from '../session/confirmation.ts';
import { sessionClient } from '../session/session-client.ts';
import { sessionEpoch, signedIn } from '../session/session-state.ts';

/**
 * The client of the API, under the address that the page came from. Other origins cannot send the header, which the server
 * requires with the cookie of a session. Every response sets the clock by which ages are shown.
 */
export const plainClient = createTidewatchClient({
  url: location.origin,
  headers: { 'X-Tidewatch-Console': '1' },
  retries: 1,
  maxWaitMs: 5_000,
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    noteServerDate(response.headers.get('date'), Date.now());
    return response;
  },
});

const gates = { epoch: sessionEpoch, signedIn, confirmed: askConfirmation };

/** The client of pages: its requests wait for a sign-in or a confirmation where the server asks for one. */
export const api = sessionClient(plainClient, gates);

/** The same for reads that nobody has just asked for: where they need a confirmation they fail, and no dialog opens. */
export const quietApi = sessionClient(plainClient, { ...gates, confirmed: async () => false });
