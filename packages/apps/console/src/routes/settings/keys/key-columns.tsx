import { useMemo } from 'react';
import { Status } from '../../../components/status/status.tsx';
import type { Column } from '../../../components/table/column.ts';
import { serverNow } from '../../../components/time/clock.ts';
import { Age } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { PageLink } from '../../page-link.tsx';
import styles from '../settings.module.css';
import { type Key, keyState, STATES } from './key-words.ts';

/** The state of a key by its shape and word. */
export function KeyStatus({ value }: { value: Key }) {
  const { status, word } = STATES[keyState(value, serverNow())];
  return <Status status={status}>{word}</Status>;
}

/** When a key was used last. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? 'never' : <Age at={at} />;
}

function hostsOf({ hosts }: Key): string {
  return hosts === null ? 'any' : hosts.map(visibleText).join(', ');
}

export function useKeyColumns(): readonly Column<Key>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        heading: 'Name',
        width: 'minmax(140px, 2fr)',
        wraps: true,
        cell: ({ id, name }) => (
          <PageLink page="key" id={id} title={visibleText(name)}>
            <bdi>{visibleText(name)}</bdi>
          </PageLink>
        ),
      },
      { id: 'state', heading: 'State', width: '90px', cell: (key) => <KeyStatus value={key} /> },
      {
        id: 'scopes',
        heading: 'Scopes',
        width: 'minmax(250px, 2fr)',
        wraps: true,
        cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
      },
      {
        id: 'used',
        heading: 'Last used',
        width: '80px',
        cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
      },
      {
        id: 'ends',
        heading: 'Ends',
        width: '80px',
        cell: ({ expires_at }) => (expires_at === null ? '–' : <Age at={expires_at} />),
      },
      {
        id: 'hosts',
        heading: 'Hosts',
        width: 'minmax(80px, 1fr)',
        wraps: true,
        cell: (key) => <span title={hostsOf(key)}>{hostsOf(key)}</span>,
      },
      {
        id: 'created',
        heading: 'Created',
        width: '80px',
        cell: ({ created_at }) => <Age at={created_at} />,
      },
    ],
    [],
  );
}

/** A key on a phone, in three lines. */
export function NarrowKey({ value }: { value: Key }) {
  return (
    <>
      <div className={styles['line']}>
        <PageLink page="key" id={value.id}>
          <bdi>{visibleText(value.name)}</bdi>
        </PageLink>
        <KeyStatus value={value} />
      </div>
      <div className={styles['muted']}>{value.scopes.join(', ')}</div>
      <div className={styles['muted']}>
        used <LastUse at={value.last_used_at} />
      </div>
    </>
  );
}
