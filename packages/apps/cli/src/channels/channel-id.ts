import { entries } from '@tidewatch/api-client/pages';
import { NotFoundError } from '../not-found-error.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

/** The id of a channel that is named by its id or its name. Throws NotFoundError, and UsageError where several have the name. */
export async function channelIdOf(session: Session, nameOrId: string): Promise<string> {
  if (nameOrId.startsWith('chn_')) return nameOrId;
  const found: string[] = [];
  for await (const { id, name } of entries(session.client(), '/api/v1/channels', 'channels', {}))
    if (name === nameOrId) found.push(id);
  const [id] = found;
  if (id === undefined) throw new NotFoundError(`no channel is called ${nameOrId}`);
  if (found.length > 1) throw new UsageError(`${found.length} channels are called ${nameOrId}: use the id`);
  return id;
}
