import { useQuery } from '@tanstack/react-query';
import { visibleText } from '../components/visible-text.ts';
import { useSettled } from '../form/use-settled.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { useSession } from '../session/session-state.ts';
import {
  commandEntries,
  matches,
  type PaletteEntry,
  type PaletteGroup,
  pageEntries,
  silencedHost,
} from './palette-entries.ts';
import {
  alertEntry,
  hostEntry,
  investigationEntry,
  metricEntry,
  readNewest,
  ruleEntry,
  search,
  visitedEntry,
} from './palette-search.ts';
import { readVisited } from './visited.ts';

/** Keys that follow faster search once, ms. */
const PAUSE_MS = 150;
const MAX_FOUND = 8;

export interface PaletteGroups {
  groups: readonly PaletteGroup[];
  /** Whether the API is still being asked for what was typed. */
  isSearching: boolean;
  error: unknown;
}

/** What the palette offers for a text: what was visited last, then what matches of the API, pages and commands. */
export function usePaletteGroups(text: string): PaletteGroups {
  const preferences = usePreferences();
  const session = useSession();
  const organizationId = session.kind === 'signed-in' ? session.identity.organization.id : '';
  const canWrite = session.kind === 'signed-in' && session.identity.scopes.includes('write');
  const silenced = silencedHost(text);
  const typed = silenced ?? text.trim();
  const query = useSettled(typed, PAUSE_MS);
  const found = useQuery({
    queryKey: ['palette', query],
    enabled: query !== '',
    queryFn: ({ signal }) => search(query, signal),
    staleTime: 10_000,
  });
  const newest = useQuery({
    queryKey: ['palette-newest'],
    queryFn: ({ signal }) => readNewest(signal),
    staleTime: 10_000,
  });
  // What was found for a former text stays while it still matches.
  const named = <T extends { name: string }>(list: readonly T[] = []): readonly T[] =>
    typed === '' ? [] : list.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const hosts = named(found.data?.hosts);
  const silences = canWrite
    ? hosts.slice(0, 3).map(
        ({ name }): PaletteEntry => ({
          id: `silence ${name}`,
          label: `Silence ${visibleText(name)} for 1 hour`,
          action: { kind: 'silence', host: name },
        }),
      )
    : [];
  const isSearching = query !== typed || found.isFetching;
  const { error } = found;
  if (silenced !== null) return { groups: groupsOf({ Commands: silences }), isSearching, error };
  const isAsked = text.trim() !== '';
  const visited = readVisited(organizationId).flatMap(visitedEntry);
  const only = (entries: readonly PaletteEntry[]) =>
    isAsked ? entries.filter((entry) => matches(entry, text.trim())) : [];
  return {
    groups: groupsOf({
      'Visited last': isAsked ? only(visited) : visited,
      Hosts: hosts.map(hostEntry),
      Rules: named(found.data?.rules).map(ruleEntry),
      'Active alerts': only((newest.data?.alerts ?? []).map(alertEntry)).slice(0, MAX_FOUND),
      Investigations: only((newest.data?.investigations ?? []).map(investigationEntry)).slice(0, MAX_FOUND),
      Metrics: named(found.data?.metrics).map(metricEntry),
      Pages: isAsked ? only(pageEntries()) : pageEntries(),
      Commands: [
        ...(isAsked ? silences : []),
        ...(isAsked ? only(commandEntries(preferences)) : commandEntries(preferences)),
      ],
    }),
    isSearching,
    error,
  };
}

function groupsOf(groups: Readonly<Record<string, readonly PaletteEntry[]>>): PaletteGroup[] {
  return Object.entries(groups)
    .filter(([, items]) => items.length > 0)
    .map(([value, items]) => ({ value, items }));
}
