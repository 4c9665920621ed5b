import { expect, it } from 'vitest';
import { splitList, splitNameAndValue } from './separated.ts';

it.each([
  ['a,b', ['a', 'b']],
  ['', ['']],
  ['a,,b,', ['a', '', 'b', '']],
  ['latency\\,p99,cpu', ['latency,p99', 'cpu']],
  ['"latency,p99",cpu', ['latency,p99', 'cpu']],
  ['"a,b","c,d"', ['a,b', 'c,d']],
  ['"say \\"hi\\", you"', ['say "hi", you']],
  ['\\"a,b\\"', ['"a', 'b"']],
  ['"open,b', ['"open', 'b']],
  ['"a"b,c', ['"a"b', 'c']],
  ['C:\\disk,x', ['C:\\disk', 'x']],
  ['a\\\\,b', ['a\\', 'b']],
  ['a\\', ['a\\']],
  ['a:b,c"d', ['a:b', 'c"d']],
])('a list %j has the entries %j', (text, entries) => {
  expect(splitList(text)).toEqual(entries);
});

it.each([
  ['region:eu', { name: 'region', value: 'eu' }],
  ['a:b:c', { name: 'a', value: 'b:c' }],
  ['a\\:b:c', { name: 'a:b', value: 'c' }],
  ['"a:b":c', { name: 'a:b', value: 'c' }],
  ['"a:b:c', { name: '"a', value: 'b:c' }],
  ['a\\\\:b', { name: 'a\\', value: 'b' }],
  ['a:"b"\\:c', { name: 'a', value: '"b"\\:c' }],
  ['a,b:c,d', { name: 'a,b', value: 'c,d' }],
  [':a', { name: '', value: 'a' }],
  ['a\\:b', undefined],
  ['a', undefined],
])('splits %j at the first colon into %j', (text, nameAndValue) => {
  expect(splitNameAndValue(text)).toEqual(nameAndValue);
});
