import type { components } from '@tidewatch/api-client/generated/api';
import { Button } from '../../../components/button.tsx';
import { Age, Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import styles from '../settings.module.css';
import { deviceOf } from './device.ts';

export type Session = components['schemas']['Session'];

/** The browser of a session, and the name of the link that signed it in. */
export function sessionName({ user_agent, name }: Session): string {
  const device = visibleText(deviceOf(user_agent));
  return name === null ? device : `${visibleText(name)} (${device})`;
}

/** One browser that is signed in. */
export function SessionLine({ session, onRevoke }: { session: Session; onRevoke: () => void }) {
  const { kind, key, scopes, user_agent, address, created_at, last_used_at, expires_at, current } = session;
  return (
    <li>
      <div className={styles['text']}>
        <span title={user_agent === null ? undefined : visibleText(user_agent)}>
          <strong>
            <bdi>{sessionName(session)}</bdi>
          </strong>
          {kind === 'display' && ' · display'}
          {current && ' · this browser'}
        </span>
        <span>
          key “<bdi>{visibleText(key.name)}</bdi>” · {scopes.join(', ')}
          {address !== null && ` · from ${visibleText(address)}`}
        </span>
        <span className={styles['muted']}>
          created <Time at={created_at} /> · last used <Age at={last_used_at} /> ago · ends{' '}
          <Time at={expires_at} />
        </span>
      </div>
      <Button aria-label={`Revoke ${sessionName(session)}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
