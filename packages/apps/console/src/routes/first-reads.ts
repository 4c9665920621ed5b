import type { QueryClient } from '@tanstack/react-query';
import { pageAt } from '@tidewatch/contracts/console/paths';
import { summaryRead } from '../api/summary.ts';
import { alertRead, alertsRead } from './alerts/alert-reads.ts';

/** Begins to read what the page at this path shows first; resolves when it is there, or could not be read. */
export async function startFirstReads(client: QueryClient, path: string): Promise<void> {
  const page = pageAt(path);
  const reads: Promise<void>[] = [];
  if (page?.name === 'alert' && page.id !== undefined) reads.push(client.prefetchQuery(alertRead(page.id)));
  reads.push(client.prefetchQuery(summaryRead()));
  if (page?.name === 'overview') reads.push(client.prefetchInfiniteQuery(alertsRead({ status: 'active' })));
  await Promise.all(reads);
}
