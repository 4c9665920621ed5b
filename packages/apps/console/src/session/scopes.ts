import { includesScope, type Scope } from '@tidewatch/contracts/values/access';
import { useSession } from './session-state.ts';

/** Whether the session may do what needs this scope, and what to say if not. Until the session is known the server decides. */
export function useScope(scope: Scope): { isMissing: boolean; reason: string; keyName: string | null } {
  const session = useSession();
  const identity = session.kind === 'signed-in' ? session.identity : null;
  return {
    isMissing: identity !== null && !includesScope(identity.scopes, scope),
    reason: `needs the scope ${scope}`,
    keyName: identity?.key.name ?? null,
  };
}
