import { entries } from '@tidewatch/api-client/pages';
import { NotFoundError } from '../not-found-error.ts';
import type { Session } from '../session.ts';

/** Finds the id of a service by its id or host name. Throws NotFoundError. */
export async function serviceIdOf(session: Session, nameOrId: string): Promise<string> {
  if (nameOrId.startsWith('svc_')) return nameOrId;
  const query = { q: nameOrId };
  for await (const service of entries(session.client(), '/api/v1/services', 'services', query)) {
    if (service.name === nameOrId) return service.id;
  }
  throw new NotFoundError(`no service has the name ${nameOrId}: tidewatch services list shows all names`);
}
