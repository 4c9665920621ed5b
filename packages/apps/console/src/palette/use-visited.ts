import { useEffect } from 'react';
import { useSession } from '../session/session-state.ts';
import { noteVisited, type Visited } from './visited.ts';

/** Remembers that the page of an object was opened, for the palette. */
export function useVisited(page: Visited['page'], id: string, name: string): void {
  const session = useSession();
  const organizationId = session.kind === 'signed-in' ? session.identity.organization.id : null;
  useEffect(() => {
    if (organizationId !== null) noteVisited(organizationId, { page, id, name });
  }, [organizationId, page, id, name]);
}
