import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startNative } from './native-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidewatch-native-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('a part gets only environment variables that programs need, and neither secrets of the shell nor settings of Tidewatch', async () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'somebody-else');
  vi.stubEnv('TIDEWATCH_BOOTSTRAP_KEY', 'tw_key');
  vi.stubEnv('JAVA_HOME', '/opt/java');
  const log = join(folder, 'log');
  const printed = () => readFileSync(log, 'utf8').trim();
  const started = await startNative({
    name: 'part',
    command: process.execPath,
    args: ['-e', 'console.log(JSON.stringify(process.env)); setInterval(() => {}, 1_000)'],
    log,
    startWithinMs: 20_000,
    ready: async () => printed().endsWith('}'),
  });
  await started.stop();
  const env = JSON.parse(printed());
  expect(env).toMatchObject({ PATH: process.env.PATH, JAVA_HOME: '/opt/java' });
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'TIDEWATCH_BOOTSTRAP_KEY'])
    expect(env).not.toHaveProperty(name);
});
