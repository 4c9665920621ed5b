import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ApiProblem, problemOf } from '@tidewatch/api-client/problem';
import { api } from '../api/client.ts';
import { applyPart } from './apply-part.ts';
import type { Fleet } from './fleet.ts';
import { parseInWorker } from './snapshot-parser.ts';

const POLL_MS = 5_000;

export interface FleetQuestion {
  /** Names of tags that the page needs, in any order. */
  tags: readonly string[];
  /** An absolute time, where the page shows an earlier one. */
  asOf?: string | undefined;
}

/** All hosts, read again every 5 s while the page is visible: after the first response only what has changed. */
export function useFleet({ tags, asOf }: FleetQuestion) {
  const names = [...new Set(tags)].sort();
  const key = ['fleet', names, asOf ?? null];
  return useQuery({
    queryKey: key,
    queryFn: ({ client, signal }) =>
      asOf === undefined ? readChanges(client, key, names, signal) : readAsOf(asOf, names, signal),
    refetchInterval: asOf === undefined ? POLL_MS : false,
    staleTime: asOf === undefined ? 0 : Number.POSITIVE_INFINITY,
    // Comparing every value of ten thousand hosts would cost more than it saves.
    structuralSharing: false,
  });
}

async function readChanges(
  client: QueryClient,
  key: readonly unknown[],
  tags: readonly string[],
  signal: AbortSignal,
): Promise<Fleet> {
  const before = client.getQueryData<Fleet>(key);
  const since = before?.token ?? undefined;
  const query = { ...(tags.length > 0 && { tags: tags.map(quoted).join(',') }), ...(since && { since }) };
  const { data, error, response } = await api.raw.GET('/api/v1/services/snapshot', {
    params: { query },
    parseAs: 'arrayBuffer',
    signal,
  });
  if (!response.ok) {
    const problem = problemOf(response, JSON.stringify(error ?? ''), Date.now());
    if (since === undefined || !isOutdated(problem)) throw problem;
    // Another version of the server may not know the token: all hosts are read again.
    client.removeQueries({ queryKey: key, exact: true });
    return readChanges(client, key, tags, signal);
  }
  return applyPart(before, await parseInWorker(data as ArrayBuffer, null));
}

async function readAsOf(asOf: string, tags: readonly string[], signal: AbortSignal): Promise<Fleet> {
  const { data, error, response } = await api.raw.GET('/api/v1/services', {
    params: { query: { as_of: asOf, format: 'ndjson' } },
    parseAs: 'arrayBuffer',
    signal,
  });
  if (!response.ok) throw problemOf(response, JSON.stringify(error ?? ''), Date.now());
  const services = { asOf: Date.parse(asOf), tags };
  return applyPart(undefined, await parseInWorker(data as unknown as ArrayBuffer, services));
}

function isOutdated(problem: ApiProblem): boolean {
  return problem.status === 422 && problem.errors.some(({ path }) => path === '/since');
}

/** A name of a tag in a list with commas between. */
function quoted(name: string): string {
  return name.replace(/[\\,"]/g, '\\$&');
}
