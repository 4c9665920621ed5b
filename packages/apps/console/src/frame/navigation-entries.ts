import { isServed, type PageName, pageAt } from '@tidewatch/contracts/console/paths';
import type { ComponentType } from 'react';
import {
  Activity,
  BellOff,
  ChartLine,
  HeartPulse,
  LayoutDashboard,
  ListChecks,
  Microscope,
  Server,
  Settings,
  Siren,
} from '../icons/lucide.ts';
import type { IconProps } from '../icons/lucide-icon.tsx';

export interface NavigationEntry {
  label: string;
  page: PageName;
  icon: ComponentType<IconProps>;
  /** Pages on which this entry is the current one. */
  covers: readonly PageName[];
  /** True for seldom opened pages, which stand below the dividing line. */
  isSecond?: boolean;
  /** True for entries in the bar at the bottom of a phone. */
  isOnPhones?: boolean;
}

const ENTRIES: readonly NavigationEntry[] = [
  { label: 'Overview', page: 'overview', icon: LayoutDashboard, covers: ['overview'], isOnPhones: true },
  { label: 'Alerts', page: 'alerts', icon: Siren, covers: ['alerts', 'alert'], isOnPhones: true },
  {
    label: 'Hosts',
    page: 'hosts',
    icon: Server,
    covers: ['hosts', 'host', 'addHost', 'compare'],
    isOnPhones: true,
  },
  { label: 'Rules', page: 'rules', icon: ListChecks, covers: ['rules', 'rule', 'newRule', 'editRule'] },
  { label: 'Silences', page: 'silences', icon: BellOff, covers: ['silences', 'newSilence'] },
  {
    label: 'Investigations',
    page: 'investigations',
    icon: Microscope,
    covers: ['investigations', 'investigation'],
  },
  { label: 'Query', page: 'query', icon: ChartLine, covers: ['query'] },
  { label: 'Events', page: 'events', icon: Activity, covers: ['events', 'markers'], isSecond: true },
  {
    label: 'Settings',
    page: 'preferences',
    icon: Settings,
    covers: [
      ...(['preferences', 'keys', 'key', 'sessions', 'organizations', 'limits', 'audit'] as const),
      ...(['channels', 'channel', 'notifications'] as const),
    ],
    isSecond: true,
  },
  { label: 'System', page: 'system', icon: HeartPulse, covers: ['system'], isSecond: true },
];

/** The entries whose page the console has. */
export const NAVIGATION: readonly NavigationEntry[] = ENTRIES.filter(({ page }) => isServed(page));

/** Whether an entry is the one of the page at that path. */
export function currentEntry(path: string): (entry: NavigationEntry) => boolean {
  const page = pageAt(path)?.name;
  return ({ covers }) => page !== undefined && covers.includes(page);
}
