import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { applyAppearance } from './preferences/appearance.ts';
import { createConsoleRouter } from './routes/router.tsx';

applyAppearance(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createConsoleRouter()} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
