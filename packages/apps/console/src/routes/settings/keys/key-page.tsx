import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { Age } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useScope } from '../../../session/scopes.ts';
import { PageLink } from '../../page-link.tsx';
import { usePageId } from '../../page-state.ts';
import { NeedsScope } from '../needs-scope.tsx';
import { ReadProblem } from '../read-problem.tsx';
import styles from '../settings.module.css';
import { SettingsHeader } from '../settings-header.tsx';
import { KeyFacts } from './key-facts.tsx';
import { type KeyDetail, keyState } from './key-words.ts';
import { keyRead } from './read-keys.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { Rotation } from './rotation.tsx';

/** One key: what it may do, who uses it, its rotation and its end. */
export function KeyPage() {
  const id = usePageId();
  const { isMissing } = useScope('admin');
  if (!isMissing) return <ReadKey key={id} id={id} />;
  return (
    <>
      <SettingsHeader section="keys" title="Key" />
      <NeedsScope scope="admin" what="The page of a key" />
    </>
  );
}

function ReadKey({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(keyRead(id));
  const problem = error && (
    <ReadProblem error={error} isShown={data !== undefined} retry={() => void refetch()} />
  );
  if (data !== undefined)
    return (
      <>
        <ProgressLine isLoading={isFetching} />
        <LoadedKey value={data}>{problem}</LoadedKey>
      </>
    );
  return (
    <>
      <SettingsHeader section="keys" title="Key" />
      {problem ?? <Skeleton lines={6} height={28} />}
      <AllKeys />
    </>
  );
}

function LoadedKey({ value, children }: { value: KeyDetail; children: React.ReactNode }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const { id, kind, name, replaced_by, replaces, recent_hosts } = value;
  const state = keyState(value, serverNow());
  const close = () => setOpen(null);
  return (
    <>
      <SettingsHeader
        section="keys"
        title={visibleText(name)}
        actions={
          state !== 'revoked' && (
            <>
              {replaced_by === null && kind === 'program' && (
                <ScopedButton scope="admin" onClick={() => setOpen('rotate')}>
                  Rotate
                </ScopedButton>
              )}
              <ScopedButton scope="admin" kind="danger" onClick={() => setOpen('revoke')}>
                Revoke
              </ScopedButton>
            </>
          )
        }
      />
      {children}
      <div className={styles['sheet']}>
        <KeyFacts value={value} />
        {replaced_by !== null && <Rotation formerId={id} successorId={replaced_by} shown={id} />}
        {replaces !== null && <Rotation formerId={replaces} successorId={id} shown={id} />}
        <section aria-labelledby="hosts" className={styles['form']}>
          <h2 id="hosts">Hosts that it reported for</h2>
          {recent_hosts.length === 0 ? (
            <p className={styles['muted']}>None yet.</p>
          ) : (
            <>
              <p className={styles['muted']}>
                The last {recent_hosts.length}, at most 100, the latest first.
              </p>
              <ul className={styles['hosts']} aria-label="Hosts">
                {recent_hosts.map(({ host, last_used_at }) => (
                  <li key={host}>
                    <PageLink page="hosts" search={{ q: host }}>
                      <bdi>{visibleText(host)}</bdi>
                    </PageLink>{' '}
                    <span className={styles['muted']}>
                      <Age at={last_used_at} />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        <p className={styles['actions']}>
          <PageLink page="audit" search={{ actor: id }}>
            What it changed
          </PageLink>
          <PageLink page="audit" search={{ object: id }}>
            How it was changed
          </PageLink>
          <AllKeys />
        </p>
      </div>
      {open === 'rotate' && <RotateKey value={value} onClose={close} />}
      {open === 'revoke' && <RevokeKey value={value} onClose={close} />}
    </>
  );
}

function AllKeys() {
  return <PageLink page="keys">All keys</PageLink>;
}
