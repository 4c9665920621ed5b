import { entries } from '@tidewatch/api-client/pages';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { NotFoundError } from '../not-found-error.ts';
import type { Session } from '../session.ts';

/** Finds the id of a channel by its id or name. Throws NotFoundError, and UsageError if several have the name. */
export async function channelIdOf(session: Session, nameOrId: string): Promise<string> {
  if (nameOrId.startsWith('chn_')) return nameOrId;
  const found: string[] = [];
  for await (const { id, name } of entries(session.client(), '/api/v1/channels', 'channels', {}))
    if (name === nameOrId) found.push(id);
  const [id] = found;
  if (id === undefined)
    throw new NotFoundError(`no channel has the name ${nameOrId}: tidewatch channels list shows all names`);
  if (found.length > 1)
    throw new UsageError(`${found.length} channels have the name ${nameOrId}: give the id`);
  return id;
}
