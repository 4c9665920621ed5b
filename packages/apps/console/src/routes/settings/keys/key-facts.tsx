import { Copy } from '../../../components/copy.tsx';
import { formatCount } from '../../../components/number/number-format.ts';
import { Age, Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { useSession } from '../../../session/session-state.ts';
import { PageLink } from '../../page-link.tsx';
import styles from '../settings.module.css';
import { KeyStatus } from './key-columns.tsx';
import type { Key } from './key-words.ts';

/** What a key may do, and what became of it. */
export function KeyFacts({ value }: { value: Key }) {
  const session = useSession();
  const isOwn = session.kind === 'signed-in' && session.identity.key.id === value.id;
  const { created_by, expires_at, revoked_at, last_used_at } = value;
  return (
    <dl className={styles['facts']}>
      <dt>State</dt>
      <dd>
        <KeyStatus value={value} />
        {isOwn && ' · this browser is signed in with it'}
      </dd>
      <dt>Kind</dt>
      <dd>
        {value.kind === 'person'
          ? 'a person by single sign-on: no secret, with the scopes of the last sign-in'
          : 'a secret'}
      </dd>
      <dt>Scopes</dt>
      <dd>{value.scopes.join(', ')}</dd>
      <dt>Allowed hosts</dt>
      <dd>{value.hosts === null ? 'any' : <bdi>{value.hosts.map(visibleText).join(', ')}</bdi>}</dd>
      <dt>Requests</dt>
      <dd>
        {value.rate_limit_per_minute === null
          ? 'the default of the installation'
          : `${formatCount(value.rate_limit_per_minute)} a minute`}
      </dd>
      <dt>Last used</dt>
      <dd>
        {last_used_at === null ? (
          'never'
        ) : (
          <>
            <Time at={last_used_at} />, <Age at={last_used_at} /> ago
          </>
        )}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={value.created_at} />
        {created_by !== null && (
          <>
            {' by '}
            <PageLink page="key" id={created_by.key_id}>
              <bdi>{visibleText(created_by.name)}</bdi>
            </PageLink>
          </>
        )}
      </dd>
      <dt>{revoked_at === null ? 'Ends' : 'Revoked'}</dt>
      <dd>
        {revoked_at !== null ? (
          <Time at={revoked_at} />
        ) : expires_at !== null ? (
          <Time at={expires_at} />
        ) : (
          'when it is revoked'
        )}
      </dd>
      <dt>Id</dt>
      <dd>
        <Copy text={value.id} />
      </dd>
    </dl>
  );
}
