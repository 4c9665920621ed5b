import { isServed, type PageName, pathOf } from '@tidewatch/contracts/console/paths';
import type { Preferences } from '../preferences/preferences.ts';

/** What an entry does. */
export type PaletteAction =
  | { kind: 'open'; to: string }
  | { kind: 'prefer'; changes: Partial<Preferences> }
  | { kind: 'silence'; host: string }
  | { kind: 'shortcuts' }
  | { kind: 'sign-out' };

export interface PaletteEntry {
  id: string;
  label: string;
  action: PaletteAction;
  /** The status or severity whose shape stands in front. */
  status?: string | undefined;
  /** What else somebody may type for it. */
  words?: string;
}

/** A group of entries with its heading, as Base UI takes it. */
export interface PaletteGroup {
  value: string;
  items: readonly PaletteEntry[];
}

/** The pages without an id in their path, except the sign-in. */
export const PAGE_WORDS = {
  overview: ['Overview', 'start home'],
  alerts: ['Alerts', ''],
  hosts: ['Hosts', 'services fleet map'],
  addHost: ['Add a host', 'agent key ingest new'],
  compare: ['Compare hosts', ''],
  rules: ['Rules', 'thresholds'],
  newRule: ['New rule', 'create threshold'],
  silences: ['Silences', 'maintenance mute'],
  newSilence: ['New silence', 'create maintenance mute'],
  channels: ['Channels', 'slack email webhook pagerduty'],
  notifications: ['Notifications', 'deliveries'],
  investigations: ['Investigations', 'causes'],
  query: ['Query', 'explore metrics chart'],
  events: ['Events', 'stream'],
  markers: ['Markers', 'deployments changes'],
  preferences: ['Preferences', 'settings theme zone density'],
  keys: ['API keys', 'settings'],
  sessions: ['Sessions', 'settings displays sign-in links'],
  organizations: ['Organizations', 'settings'],
  limits: ['Limits', 'settings usage'],
  audit: ['Audit log', 'settings'],
  system: ['System', 'health readiness'],
} as const satisfies Partial<Record<PageName, readonly [label: string, words: string]>>;

/** The pages that the console has. */
export function pageEntries(): PaletteEntry[] {
  return Object.entries(PAGE_WORDS)
    .filter(([page]) => isServed(page as PageName))
    .map(([page, [label, words]]) => ({
      id: `page ${page}`,
      label,
      words,
      action: { kind: 'open', to: pathOf(page as keyof typeof PAGE_WORDS, {}) },
    }));
}

/** What can be done on every page. Preferences offer what they are not yet. */
export function commandEntries({ theme, zone, density, shortcuts }: Preferences): PaletteEntry[] {
  const prefer = (label: string, changes: Partial<Preferences>, words: string): PaletteEntry => ({
    id: label,
    label,
    words,
    action: { kind: 'prefer', changes },
  });
  return [
    ...(theme === 'light' ? [] : [prefer('Light theme', { theme: 'light' }, 'colours bright')]),
    ...(theme === 'dark' ? [] : [prefer('Dark theme', { theme: 'dark' }, 'colours night')]),
    ...(theme === 'system' ? [] : [prefer('Theme of the system', { theme: 'system' }, 'colours')]),
    zone === 'utc'
      ? prefer('Show times in local time', { zone: 'local' }, 'zone clock')
      : prefer('Show times in UTC', { zone: 'utc' }, 'zone clock'),
    density === 'compact'
      ? prefer('Comfortable rows', { density: 'comfortable' }, 'density tables')
      : prefer('Compact rows', { density: 'compact' }, 'density tables'),
    shortcuts === 'on'
      ? prefer('Disable shortcuts of single characters', { shortcuts: 'off' }, 'keyboard keys')
      : prefer('Enable shortcuts of single characters', { shortcuts: 'on' }, 'keyboard keys'),
    { id: 'shortcuts', label: 'Keyboard shortcuts', words: 'keys help', action: { kind: 'shortcuts' } },
    { id: 'sign-out', label: 'Sign out', words: 'leave session', action: { kind: 'sign-out' } },
  ];
}

/** Whether each word that was typed begins somewhere in the label or the further words. */
export function matches({ label, words = '' }: PaletteEntry, text: string): boolean {
  const where = `${label} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** The name of the host in "silence web-01"; null for any other text. */
export function silencedHost(text: string): string | null {
  return /^silence\s+(\S.*)$/i.exec(text.trim())?.[1]?.trim() ?? null;
}
