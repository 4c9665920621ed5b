import { expect, it } from 'vitest';
import { browserCommand } from './open-browser.ts';

const URL = 'https://tidewatch.example/sign-in#link=secret';

it.each([
  ['linux', { DISPLAY: ':0' }, { program: 'xdg-open', args: [URL] }],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, { program: 'xdg-open', args: [URL] }],
  ['linux', {}, null],
  ['darwin', {}, { program: 'open', args: [URL] }],
  ['win32', {}, { program: 'rundll32', args: ['url.dll,FileProtocolHandler', URL] }],
] as const)('opens an address on %s with %j by %j', (platform, env, command) => {
  expect(browserCommand(URL, platform, env)).toEqual(command);
});
