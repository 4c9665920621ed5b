import type { Actor } from '@tidewatch/contracts/values/actor';

/** An actor as the API returns it; PostgreSQL sorts the members of a stored document by length. */
export function actorAnswer({ key_id, name, session_id }: Actor): Actor {
  return { key_id, name, ...(session_id !== undefined && { session_id }) };
}
