import { expect, test } from 'vitest';
import { readCommandOptions } from './command-options.ts';

const options = {
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean' },
} as const;
const read = (...args: string[]) => readCommandOptions(args, options, 'usage: this');

test('command-line options are read as "--name value" and as "--name=value"', () => {
  expect({ ...read('--port', '1', '--data-dir=/a') }).toEqual({ port: '1', 'data-dir': '/a' });
});

test.each([
  [['--prot', '1'], 'There is no option --prot; did you mean --port?'],
  [['--datadir=/a'], 'There is no option --datadir; did you mean --data-dir?'],
  [['--verbose'], 'There is no option --verbose.'],
  [['-x'], 'There is no option -x.'],
  [['8230'], '8230 is no option.'],
  [['--port'], "Option '--port <value>' argument missing"],
])('%j is refused with a sentence and the usage', (args, sentence) => {
  expect(() => read(...args)).toThrow(`${sentence}\n\nusage: this`);
});
