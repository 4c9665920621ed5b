import type { Scope } from '@tidewatch/contracts/values/access';
import { Empty } from '../../components/empty.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSession } from '../../session/session-state.ts';

/** In place of what the session may not see: the scope that it needs, and what the key in use has. */
export function NeedsScope({ scope, what }: { scope: Scope; what: string }) {
  const session = useSession();
  if (session.kind !== 'signed-in') return null;
  const { key, scopes } = session.identity;
  return (
    <Empty>
      {what} needs the scope {scope}. This session of the key “<bdi>{visibleText(key.name)}</bdi>” has{' '}
      {scopes.length === 0 ? 'none' : scopes.join(', ')}. Sign in with a key that has the scope, or ask
      whoever runs this Tidewatch for one.
    </Empty>
  );
}
