import { expect, test } from 'vitest';
import { assertFits } from './node-program.ts';

const program = (text: string) => Buffer.from(`\u007fELF\0\0${text}\0 and what follows`);

test.each(['24.18.0', '24.21.0', '24.30.1'])('Node %s runs what Node 24.21.0 writes', (version) => {
  expect(() => assertFits(program(`node.js/v${version}`), 'node', '24.21.0')).not.toThrow();
});

test.each([
  ['node.js/v24.17.0', 'node is v24.17.0; take Node 24.18 or later'],
  ['node.js/v26.1.0', 'node is v26.1.0; take Node 24.18 or later, best v24.21.0'],
  ['deno/v24.21.0', 'node does not contain the name of a version of Node'],
])('a program with the text %s is refused', (text, message) => {
  expect(() => assertFits(program(text), 'node', '24.21.0')).toThrow(message);
});
