import type { Sql } from '../database/connection.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { countUnreadable } from './read.ts';

/** Asks whether the secrets of all channels can be read with the key; says nothing while the database is away. */
export function secretKeyProbe(sql: Sql, secrets: SecretBox): () => Promise<string[]> {
  return async () => {
    const channels = await countUnreadable(sql, secrets).catch(() => 0);
    return channels === 0
      ? []
      : [
          `the secrets of ${channels} channels were encrypted with another TIDEWATCH_SECRET_KEY, so they tell nobody`,
        ];
  };
}
