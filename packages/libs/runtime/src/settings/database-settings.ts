import { z } from 'zod';
import { setting } from './config.ts';

/** The settings by which a process reaches a database that Tidewatch does not run itself. */
export const databaseSettings = {
  databaseUrl: setting({
    env: 'TIDEWATCH_DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    meaning: 'The database, postgres://user:password@host:port/name.',
    example: 'postgres://tidewatch_writer:secret@db:5432/tidewatch',
    secret: true,
  }),
};
