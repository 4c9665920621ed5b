import { spawn } from 'node:child_process';
import type { Environment } from '@tidewatch/runtime/settings/config';

/** The program that opens an address, and its arguments; null where no browser can be shown. */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
  env: Environment,
): { program: string; args: string[] } | null {
  if (platform === 'darwin') return { program: 'open', args: [url] };
  if (platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  const isShown = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return isShown ? { program: 'xdg-open', args: [url] } : null;
}

/** Opens an address in the user's browser; false where there is none. */
export async function openBrowser(
  url: string,
  platform: NodeJS.Platform,
  env: Environment,
): Promise<boolean> {
  const command = browserCommand(url, platform, env);
  if (command === null) return false;
  return new Promise((resolve) => {
    const child = spawn(command.program, command.args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
