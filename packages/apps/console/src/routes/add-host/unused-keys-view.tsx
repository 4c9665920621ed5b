import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../components/time/clock.ts';
import { Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSession } from '../../session/session-state.ts';
import styles from './add-host.module.css';
import { RevokeKey } from './revoke-key.tsx';
import { unusedKeys } from './unused-keys.ts';

type Key = Schema<'Key'>;

const MAX_PAGES = 10;
const PAGE = 100;

/** Earlier keys that can only send samples and were never used. Shown to users who may revoke them. */
export function UnusedKeys({ shownKeyId }: { shownKeyId: string | null }) {
  const session = useSession();
  const identity = session.kind === 'signed-in' ? session.identity : null;
  const [now] = useState(serverNow);
  // Nobody is asked for a confirmation only because the page was opened.
  const confirmedUntil = identity?.confirmed_until ?? null;
  const mayRead =
    identity?.scopes.includes('admin') === true &&
    (confirmedUntil === null || Date.parse(confirmedUntil) > now);
  const { data } = useQuery({
    queryKey: ['keys', 'all'],
    enabled: mayRead,
    queryFn: ({ signal }) => readKeys(signal),
  });
  const unused = unusedKeys(data ?? [], now).filter(({ id }) => id !== shownKeyId);
  if (unused.length === 0) return null;
  return (
    <section aria-labelledby="unused" className={styles['section']}>
      <h2 id="unused">Keys that were never used</h2>
      <p className={styles['note']}>They can only send samples. Revoke those whose command was never run.</p>
      <ul className={styles['keys']}>
        {unused.map(({ id, name, created_at }) => (
          <li key={id}>
            <span>
              {visibleText(name)}, created <Ago at={created_at} />
            </span>
            <RevokeKey keyId={id} name={name} onRevoked={() => undefined} />
          </li>
        ))}
      </ul>
    </section>
  );
}

async function readKeys(signal: AbortSignal): Promise<Key[]> {
  const keys: Key[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const answer = (await api.get('/api/v1/keys', { params: { query }, signal })) as Schema<'KeysPage'>;
    keys.push(...answer.keys);
    cursor = answer.pagination.next_cursor;
    if (cursor === null) break;
  }
  return keys;
}
