import { expect, test } from 'vitest';
import { readStartOptions } from './options.ts';

test('options override the environment, and a folder is relative to where npm was called', () => {
  const env = { INIT_CWD: '/somewhere', TIDEWATCH_PORT: '1', TIDEWATCH_HOST: 'a' };
  expect(readStartOptions(['--port', '8340', '--data-dir', 'data'], env)).toEqual({
    help: false,
    version: false,
    env: { ...env, TIDEWATCH_PORT: '8340', TIDEWATCH_DATA_DIR: '/somewhere/data' },
  });
});

test('without options the environment stays as it is', () => {
  expect(readStartOptions([], { TIDEWATCH_PORT: '1' }).env).toEqual({ TIDEWATCH_PORT: '1' });
});

test('an option that does not exist is refused with the nearest one', () => {
  expect(() => readStartOptions(['--data-dri', '/a'], {})).toThrow('did you mean --data-dir?');
});
