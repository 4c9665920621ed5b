import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

const KEY = `tw_canary_${'C'.repeat(43)}`;

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const collect = (line: string) => {
    text += line;
  };
  write(createLogger({ name: 'test', destination: { write: collect } }));
  return text;
}

describe('createLogger', () => {
  it('writes JSON with the level and the time', () => {
    expect(JSON.parse(logged((logger) => logger.info({ hosts: 3 }, 'hello')))).toMatchObject({
      name: 'test',
      hosts: 3,
      msg: 'hello',
    });
  });

  it.each<[string, (logger: ReturnType<typeof createLogger>) => void]>([
    ['in a message', (logger) => logger.info(`refused ${KEY}`)],
    ['in an error', (logger) => logger.error({ err: new Error(`bad ${KEY}`) })],
    [
      'under a secret name',
      (logger) => logger.info({ key: KEY, request: { headers: { 'x-api-key': KEY } } }),
    ],
    ['under any name', (logger) => logger.info({ deep: { down: [KEY] } })],
  ])('hides a key %s', (_where, write) => {
    expect(logged(write)).not.toContain('CCCC');
  });

  it('hides the password of an address', () => {
    expect(logged((logger) => logger.info('postgres://user:pass-word@db/x'))).not.toContain('pass-word');
  });
});
