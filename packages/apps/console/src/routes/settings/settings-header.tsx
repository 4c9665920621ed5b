import type { PageName } from '@tidewatch/contracts/console/paths';
import { type ReactNode, useRef } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { useStrip } from '../../components/tabs/use-strip.ts';
import { PageLink } from '../page-link.tsx';
import styles from './settings.module.css';

const SECTIONS = [
  ['preferences', 'Preferences'],
  ['keys', 'Keys'],
  ['sessions', 'Sessions'],
  ['organizations', 'Organizations'],
  ['limits', 'Limits'],
  ['audit', 'Audit log'],
  ['channels', 'Channels'],
  ['notifications', 'Notifications'],
] as const satisfies readonly (readonly [PageName, string])[];

export interface SettingsHeaderProps {
  /** The section that is open. */
  section: (typeof SECTIONS)[number][0];
  /** The heading. Default: the name of the section. */
  title?: string;
  actions?: ReactNode;
}

/** The heading of a page of the settings, and links to all sections. */
export function SettingsHeader({ section, title, actions }: SettingsHeaderProps) {
  const sections = useRef<HTMLElement>(null);
  // On a phone only some sections have room: the open one is among them.
  useStrip(sections, section);
  const name = SECTIONS.find(([page]) => page === section)?.[1] ?? '';
  return (
    <>
      <PageHeader title={title ?? name} actions={actions} />
      <nav ref={sections} aria-label="Settings" className={`${styles['sections']} strip`}>
        <ul>
          {SECTIONS.map(([page, label]) => (
            <li key={page}>
              <PageLink page={page} aria-current={page === section ? 'page' : undefined}>
                {label}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
