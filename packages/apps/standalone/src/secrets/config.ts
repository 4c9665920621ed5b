import { setting } from '@tidewatch/runtime/settings/config';
import { z } from 'zod';

/** All settings of the step that creates the secrets of an installation. */
export const secretsSettings = {
  directory: setting({
    env: 'TIDEWATCH_SECRETS_DIR',
    schema: z.string().default('/run/tidewatch'),
    meaning: 'Folder with one folder for each reader of secrets.',
    example: '/etc/tidewatch/secrets',
  }),
  databaseAddress: setting({
    env: 'TIDEWATCH_DATABASE_ADDRESS',
    schema: z.string().regex(/^[^\s/@]+:\d{1,5}\/[^\s/]+$/, 'must be host:port/name'),
    meaning: 'Where the database is; stands in the addresses with a password.',
    example: 'timescaledb:5432/tidewatch',
  }),
  redisAddress: setting({
    env: 'TIDEWATCH_REDIS_ADDRESS',
    schema: z.string().regex(/^[^\s/@]+:\d{1,5}$/, 'must be host:port'),
    meaning: 'Where Redis or Valkey is.',
    example: 'valkey:6379',
  }),
};
