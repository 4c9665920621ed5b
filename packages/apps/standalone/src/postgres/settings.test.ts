import { expect, test } from 'vitest';
import { serverSettings } from './settings.ts';

const PLACE = { listen: { port: 5432 }, durable: true, diskBytes: 2 ** 40 };
const syncMethodOn = (platform: string, release: string) =>
  serverSettings({ ...PLACE, platform, release })['recovery_init_sync_method'];

test('a server that crashed syncs the whole disk only where Linux reports every failed write', () => {
  expect(syncMethodOn('linux', '6.18.44-fc-v857')).toBe('syncfs');
  expect(syncMethodOn('linux', '5.8.0')).toBe('syncfs');
  expect(syncMethodOn('linux', '5.4.0-150-generic')).toBeUndefined();
  expect(syncMethodOn('linux', '4.19.0')).toBeUndefined();
  expect(syncMethodOn('darwin', '24.1.0')).toBeUndefined();
});
