import { z } from 'zod';
import { setting, wholeNumber } from './config.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Settings of every process that runs one backend service of the distributed topology. */
export const processSettings = {
  logLevel: setting({
    env: 'TIDEWATCH_LOG_LEVEL',
    schema: z.enum(LOG_LEVELS).default('info'),
    meaning: 'Least level of the lines that are logged.',
    example: 'debug',
  }),
  adminHost: setting({
    env: 'TIDEWATCH_ADMIN_HOST',
    schema: z.string().default('127.0.0.1'),
    meaning: 'The address of /healthz, /readyz and /metrics.',
    example: '0.0.0.0',
  }),
  adminPort: setting({
    env: 'TIDEWATCH_ADMIN_PORT',
    schema: wholeNumber(0, 65_535).default(9100),
    meaning: 'The port of /healthz, /readyz and /metrics; 0 takes a free one.',
    example: '9101',
  }),
};
