import type { Sql } from '@tidewatch/database/connection';
import type { SecretBox } from '../secrets/secret-box.ts';
import { countUnreadable } from './read.ts';

/** A readiness probe that fails if channels are encrypted with another key, and throws if they cannot be counted. */
export function secretKeyProbe(sql: Sql, secrets: SecretBox): () => Promise<string[]> {
  return async () => {
    const channels = await countUnreadable(sql, secrets);
    return channels === 0
      ? []
      : [
          `the secrets of ${channels} channels were encrypted with another TIDEWATCH_SECRET_KEY, so they cannot be notified`,
        ];
  };
}
