import { resolve } from 'node:path';
import { setting } from '@tidewatch/runtime/settings/config';
import { z } from 'zod';

/** The settings of the process that serves the packages of the agent. */
export const downloadSettings = {
  downloadDirectory: setting({
    env: 'TIDEWATCH_DOWNLOADS_DIR',
    schema: z
      .string()
      .optional()
      .transform((path) => (path === undefined ? undefined : resolve(path))),
    meaning:
      'Folder of the packages of the agent, as npm run build:agent makes them. npm start and the images set it.',
    example: '/tidewatch/agent',
  }),
};
