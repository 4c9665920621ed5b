import { onOff, setting } from './config.ts';

/** The setting of every process that serves the console or links to it. */
export const consoleSettings = {
  hasConsole: setting({
    env: 'TIDEWATCH_CONSOLE',
    schema: onOff().default(true),
    meaning: 'Whether the web console is served; messages link to its pages if TIDEWATCH_PUBLIC_URL is set.',
    example: 'off',
  }),
};

/** The address that links to pages of the console begin with, without a slash at the end; null for no links. */
export function consoleUrl(config: { hasConsole: boolean; publicUrl?: string | undefined }): string | null {
  return config.hasConsole ? (config.publicUrl ?? null) : null;
}
