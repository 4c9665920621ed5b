import { setting } from '@tidewatch/runtime/settings/config';
import { kafkaSettings, kafkaTopicSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { keySettings } from '@tidewatch/runtime/settings/key-settings';
import { STORAGE_BACKEND_NAMES } from '@tidewatch/store/backends/storage-backend';
import { z } from 'zod';

const password = (env: string, login: string) =>
  setting({
    env,
    schema: z.string().min(12, 'must have at least 12 characters').max(256),
    meaning: `Password of the login ${login}, which this step makes or changes.`,
    example: 'a secret',
    secret: true,
  });

/** All settings of the migration step. */
export const migrateSettings = {
  adminDatabaseUrl: setting({
    env: 'TIDEWATCH_ADMIN_DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    meaning: 'The database as a role that may create roles and schemas; only this step uses it.',
    example: 'postgres://postgres:secret@db:5432/tidewatch',
    secret: true,
  }),
  writerPassword: password('TIDEWATCH_WRITER_PASSWORD', 'tidewatch_writer_login'),
  evaluatorPassword: password('TIDEWATCH_EVALUATOR_PASSWORD', 'tidewatch_evaluator_login'),
  notifierPassword: password('TIDEWATCH_NOTIFIER_PASSWORD', 'tidewatch_notifier_login'),
  investigatorPassword: password('TIDEWATCH_INVESTIGATOR_PASSWORD', 'tidewatch_investigator_login'),
  apiPassword: password('TIDEWATCH_API_PASSWORD', 'tidewatch_api_login'),
  storageBackend: setting({
    env: 'TIDEWATCH_STORE_EDITION',
    schema: z.enum(STORAGE_BACKEND_NAMES).optional(),
    meaning:
      'What an empty database becomes. One that has a schema stays what it is, and another name here is refused.',
    default: 'the fullest that the server offers',
    example: 'plain',
  }),
  keyDirectory: setting({
    env: 'TIDEWATCH_DATA_DIR',
    schema: z.string().default('.tidewatch'),
    meaning: 'Folder in which the first admin key is kept, in a file of mode 0600.',
    default: '.tidewatch',
    example: '/var/lib/tidewatch',
  }),
  agentKeyDirectory: setting({
    env: 'TIDEWATCH_AGENT_KEY_DIR',
    schema: z.string().optional(),
    meaning:
      'Folder in which a key for an agent, that may do nothing but ingest, is kept in the file agent-key; without it none is made.',
    example: '/var/lib/tidewatch-agent',
  }),
  ...keySettings,
  ...kafkaSettings,
  ...kafkaTopicSettings,
};
