import { readConfig, type Settings } from '@tidewatch/runtime/settings/config';
import { misspeltSettings, warnOfUnknownSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { processSettings } from '@tidewatch/runtime/settings/process-settings';
import { SETTING_NAMES } from '@tidewatch/runtime/settings/setting-names';
import { stackSettings } from '@tidewatch/stack/config';
import { serviceSettings } from '@tidewatch/stack/service-settings';
import { standaloneSettings } from '@tidewatch/standalone/config';
import { migrateSettings } from '@tidewatch/standalone/migration/config';
import { secretsSettings } from '@tidewatch/standalone/secrets/config';
import { describe, expect, it, test } from 'vitest';

const PROCESSES: Settings[] = [
  ...[standaloneSettings, stackSettings, migrateSettings, secretsSettings],
  ...Object.values(serviceSettings),
];
/**
 * Variables that are read without a settings object: by the agent, the command line, the compose file and the cache of
 * servers for tests.
 */
const OTHERS = [
  ...['TIDEWATCH_URL', 'TIDEWATCH_API_KEY', 'TIDEWATCH_API_KEY_FILE', 'TIDEWATCH_WATCH', 'TIDEWATCH_CA_FILE'],
  ...['TIDEWATCH_IMAGE', 'TIDEWATCH_SITE', 'TIDEWATCH_PUBLISH', 'TIDEWATCH_PUBLISH_METRICS'],
  'TIDEWATCH_CACHE_DIR',
];

test('the list of names has every setting of every process, and nothing else', () => {
  const settings = PROCESSES.flatMap((each) => Object.values(each));
  const names = settings.flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env]));
  const own = names.filter((name) => !name.startsWith('TIDEWATCH_TEST_'));
  expect([...SETTING_NAMES].sort()).toEqual([...new Set([...own, ...OTHERS])].sort());
});

describe('a variable that is no setting', () => {
  it.each([
    ['TIDEWATCH_DATA_DRI', 'TIDEWATCH_DATA_DIR'],
    ['TIDEWATCH_PROT', 'TIDEWATCH_PORT'],
    ['TIDEWACH_PORT', 'TIDEWATCH_PORT'],
    ['tidewatch_port', 'TIDEWATCH_PORT'],
    ['TIDEWATCH_DATADIR', 'TIDEWATCH_DATA_DIR'],
    ['TIDEWATCH_RETENTION_RAW_DAY', 'TIDEWATCH_RETENTION_RAW_DAYS'],
  ])('%s stops the start, which names %s', (name, meant) => {
    const sentence = `${name} is no setting; did you mean ${meant}?`;
    expect(misspeltSettings({ [name]: 'x' })).toEqual([sentence]);
    expect(() => readConfig(processSettings, { [name]: 'x' })).toThrow(sentence);
  });

  it.each(['TIDEWATCH_SERVICE_HOST', 'TIDEWATCH_PORT_8230_TCP', 'TIDEWATCH_REGION'])(
    '%s, which resembles no setting, is logged as a warning',
    (name) => {
      const warnings: unknown[] = [];
      expect(misspeltSettings({ [name]: 'x' })).toEqual([]);
      warnOfUnknownSettings({ [name]: 'x' }, { warn: (fields) => warnings.push(fields) });
      expect(warnings).toEqual([{ variable: name }]);
    },
  );

  it('settings of other processes and of the tests are accepted', () => {
    const env = Object.fromEntries([...SETTING_NAMES, 'TIDEWATCH_TEST_PART'].map((name) => [name, 'x']));
    expect(misspeltSettings(env)).toEqual([]);
  });
});
