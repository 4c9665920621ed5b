import type { QueryClient } from '@tanstack/react-query';
import { pageAt } from '@tidewatch/contracts/console/paths';
import { summaryRead } from '../api/summary.ts';
import { alertRead, alertsRead } from './alerts/alert-reads.ts';

/** Begins to read what the page at this path shows first, while the page itself is still being rendered. */
export function startFirstReads(client: QueryClient, path: string): void {
  const page = pageAt(path);
  if (page?.name === 'alert' && page.id !== undefined) void client.prefetchQuery(alertRead(page.id));
  void client.prefetchQuery(summaryRead());
  if (page?.name === 'overview') void client.prefetchInfiniteQuery(alertsRead({ status: 'active' }));
}
