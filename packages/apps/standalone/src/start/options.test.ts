import { expect, test } from 'vitest';
import { readStartOptions } from './options.ts';

test('start options override the environment, and a folder is relative to where npm was called', () => {
  const env = { INIT_CWD: '/somewhere', TIDEWATCH_PORT: '1', TIDEWATCH_HOST: 'a' };
  expect(readStartOptions(['--port', '8340', '--data-dir', 'data'], env)).toEqual({
    help: false,
    version: false,
    env: { ...env, TIDEWATCH_PORT: '8340', TIDEWATCH_DATA_DIR: '/somewhere/data' },
  });
});

test('without start options the environment is not changed', () => {
  expect(readStartOptions([], { TIDEWATCH_PORT: '1' }).env).toEqual({ TIDEWATCH_PORT: '1' });
});

test('an unknown start option is refused with a similar one', () => {
  expect(() => readStartOptions(['--data-dri', '/a'], {})).toThrow('did you mean --data-dir?');
});
