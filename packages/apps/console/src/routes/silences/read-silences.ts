import { pages } from '@tidewatch/api-client/pages';
import type { Silence, SilenceStatus } from '@tidewatch/contracts/silences/silence';
import { api } from '../../api/client.ts';

/** Silences of that status, or all that have not been ended by somebody, the newest first. */
export async function readSilences(status: SilenceStatus | undefined): Promise<Silence[]> {
  const silences: Silence[] = [];
  const query = { limit: 100, sort: '-created_at' as const, ...(status && { status }) };
  for await (const { entries } of pages(api, '/api/v1/silences', 'silences', query))
    silences.push(...(entries as Silence[]));
  return silences;
}
