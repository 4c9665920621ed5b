import { expect, it } from 'vitest';
import { parsePreferences } from './preferences.ts';

const DEFAULTS = {
  theme: 'system',
  density: 'comfortable',
  zone: 'local',
  shortcuts: 'on',
  motion: 'system',
  start: 'overview',
};

it.each([null, '', '{', '[]', '"dark"', 'null', '{"theme":"pink","zone":1}'])(
  'preferences have their defaults if %s is stored',
  (stored) => {
    expect(parsePreferences(stored)).toEqual(DEFAULTS);
  },
);

it('known stored preferences are kept and unknown ones dropped', () => {
  const stored = JSON.stringify({ theme: 'dark', zone: 'utc', other: true });
  expect(parsePreferences(stored)).toEqual({ ...DEFAULTS, theme: 'dark', zone: 'utc' });
});
