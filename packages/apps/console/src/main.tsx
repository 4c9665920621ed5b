import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { startLive } from './live/live.ts';
import { applyAppearance } from './preferences/appearance.ts';
import { startRedirect } from './preferences/start-page.ts';
import { startFirstReads } from './routes/first-reads.ts';
import { createConsoleRouter } from './routes/router.tsx';
import { validAddress } from './routes/validated-search.ts';
import { takeSignInLink } from './session/sign-in-link.ts';
import { checkSession, startSession } from './session/start-session.ts';
import { watchTyping } from './upgrade/upgrade-state.ts';

/** A server that needs longer does not keep the frame from being shown, ms. */
const MAX_FIRST_READS_MS = 150;

// Before anything else can read the address.
const link = takeSignInLink(location, history);
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const start = startRedirect(location, visit?.type);
if (start !== null) history.replaceState(history.state, '', start);
const valid = validAddress(location);
if (valid !== null) history.replaceState(history.state, '', valid);
const queries = createQueryClient();
watchTyping();
startLive(queries, checkSession);
startSession(queries, link);
const firstReads = startFirstReads(queries, location.pathname);
applyAppearance(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
const router = createConsoleRouter();
// A page that is rendered with what it shows first is usable earlier than one that is rendered without it and then once more.
void Promise.race([
  Promise.allSettled([router.load(), firstReads]),
  new Promise((resolve) => setTimeout(resolve, MAX_FIRST_READS_MS)),
]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  ),
);
