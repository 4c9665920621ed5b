import { WATCH_PARENT } from '@tidewatch/contracts/agent/watch-parent';

/** The max number of processes of Tidewatch that one agent watches. */
export const MAX_WATCHED = 100;

/** Whether the text is an http or https address. */
export function isServiceAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Whether the text is an http or https address without user name and password, or stands for the parent process. */
export function isWatchable(text: string): boolean {
  if (text === WATCH_PARENT) return true;
  if (!isServiceAddress(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
