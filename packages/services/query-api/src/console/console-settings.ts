import { resolve } from 'node:path';
import { setting } from '@tidewatch/runtime/settings/config';
import { consoleSettings } from '@tidewatch/runtime/settings/console-settings';
import { z } from 'zod';

/** The settings of the process that serves the console. */
export const consoleServerSettings = {
  ...consoleSettings,
  consoleDirectory: setting({
    env: 'TIDEWATCH_CONSOLE_DIR',
    schema: z
      .string()
      .optional()
      .transform((path) => (path === undefined ? undefined : resolve(path))),
    meaning: 'Folder of the built console. npm start and the images set it; without it no console is served.',
    example: '/tidewatch/console',
  }),
};
