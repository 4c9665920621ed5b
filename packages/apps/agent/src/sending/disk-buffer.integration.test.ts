import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDiskBuffer } from './disk-buffer.ts';

let folder: string;
const lines: string[] = [];
const logger = createLogger({ name: 'agent', destination: { write: (line) => void lines.push(line) } });
const BOUNDS = { payloads: 1_000, bytes: 64 * 1024 * 1024 };
const open = (bounds = BOUNDS) => openDiskBuffer(folder, bounds, logger);
const files = () => readdirSync(folder).filter((name) => name.endsWith('.records'));
const newestFile = () => join(folder, files().toSorted().at(-1) ?? '');

/** The seed is constant, so that a failure can be repeated. */
const random = createRandom(20_261_128);
const incompressible = (numbers: number) => Array.from({ length: numbers }, random).join();

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tidewatch-buffer-')), 'buffer');
  lines.length = 0;
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

test('payloads wait in order, also for the next start, until they are removed', () => {
  const buffer = open();
  for (const body of ['a', 'ä…', 'c', 'd']) buffer.push(body);
  expect(buffer.peek(3, 1_000)).toEqual(['a', 'ä…', 'c']);
  buffer.shift(1);
  const next = open();
  expect([next.length, next.peek(10, 1_000)]).toEqual([3, ['ä…', 'c', 'd']]);
  next.push('e');
  next.shift(3);
  expect(open().peek(10, 1_000)).toEqual(['e']);
  next.shift(1);
  expect([open().length, files()]).toEqual([0, []]);
});

test('a payload that is pushed after all others were removed is found at the next start', () => {
  const buffer = open();
  for (let round = 0; round < 5; round += 1) {
    buffer.push(`a${round}`);
    buffer.push(`b${round}`);
    buffer.shift(1);
    buffer.shift(1);
  }
  const next = open();
  next.push('after');
  expect(open().peek(10, 1_000)).toEqual(['after']);
});

test.each([1, 5, 11, 13, 20])(
  'a last record that lacks its last %i bytes is left out and logged, and later ones are stored',
  (missing) => {
    const buffer = open();
    for (const body of ['first', 'second', 'third']) buffer.push(body);
    truncateSync(newestFile(), readFileSync(newestFile()).length - missing);
    const next = open();
    expect(next.peek(10, 1_000)).toEqual(['first', 'second']);
    expect(lines.join('')).toContain('is damaged and was left out');
    next.push('fourth');
    expect(open().peek(10, 1_000)).toEqual(['first', 'second', 'fourth']);
  },
);

test('zeros and bytes that were changed after the last complete record are left out', () => {
  open().push('first');
  appendFileSync(newestFile(), Buffer.alloc(4_096));
  expect(open().peek(10, 1_000)).toEqual(['first']);
  const buffer = open();
  buffer.push('second');
  const content = readFileSync(newestFile());
  content.writeUInt8(content.readUInt8(content.length - 1) ^ 255, content.length - 1);
  writeFileSync(newestFile(), content);
  expect(open().peek(10, 1_000)).toEqual(['first']);
});

test('the oldest payloads are dropped and counted where there are too many or too large ones', () => {
  const few = open({ payloads: 3, bytes: 1_000_000 });
  const dropped = ['a', 'b', 'c', 'd', 'e'].map((body) => few.push(body));
  expect(dropped).toEqual([0, 0, 0, 1, 1]);
  expect(open().peek(10, 1_000)).toEqual(['c', 'd', 'e']);
  few.shift(3);
  const small = open({ payloads: 1_000, bytes: 100_000 });
  const total = Array.from({ length: 40 }, () => small.push(incompressible(1_000))).reduce((a, b) => a + b);
  expect(small.bytes).toBeLessThanOrEqual(100_000);
  expect(total + small.length).toBe(40);
  expect(small.length).toBeGreaterThan(3);
});

test('files that hold nothing that waits are removed, and a batch is limited by the size of its texts', () => {
  const buffer = open();
  const body = 'x'.repeat(1_000);
  for (let index = 0; index < 12; index += 1) buffer.push(incompressible(30_000));
  expect(files().length).toBeGreaterThan(1);
  buffer.push(body);
  buffer.push(body);
  buffer.shift(12);
  expect(files()).toHaveLength(1);
  expect([buffer.peek(10, 1_500).length, buffer.peek(10, 2_000).length, buffer.peek(10, 1).length]).toEqual([
    1, 2, 1,
  ]);
});

test('payloads are kept in memory while the folder cannot be written, and are written again later', () => {
  const buffer = open();
  buffer.push('a');
  buffer.shift(1);
  rmSync(folder, { recursive: true });
  buffer.push('b');
  buffer.push('c');
  expect(buffer.peek(10, 1_000)).toEqual(['b', 'c']);
  expect(lines.join('').match(/could not write the buffer/g)).toHaveLength(1);
});

test('payloads that become unreadable are dropped, counted and logged, and those after them are sent', () => {
  const buffer = open();
  for (const body of ['first', 'second', 'third', 'fourth']) buffer.push(body);
  const content = readFileSync(newestFile());
  content.writeUInt8(content.readUInt8(20) ^ 255, 20);
  writeFileSync(newestFile(), content);
  expect(buffer.peek(1, 1_000)).toEqual(['second']);
  expect([buffer.unreadable, buffer.length]).toEqual([1, 3]);
  rmSync(newestFile());
  expect(buffer.peek(10, 1_000)).toEqual(['fourth']);
  expect([buffer.unreadable, buffer.length]).toEqual([3, 1]);
  expect(lines.join('')).toContain('dropped payloads of the buffer that cannot be read');
  buffer.shift(1);
  expect([buffer.peek(10, 1_000), buffer.length, buffer.bytes]).toEqual([[], 0, 0]);
});

test('a folder that cannot be used stops the start with its name', () => {
  writeFileSync(join(folder, '..', 'file'), '');
  const used = join(folder, '..', 'file', 'buffer');
  expect(() => openDiskBuffer(used, BOUNDS, logger)).toThrow(
    /--buffer-dir .*file\/buffer is not usable: ENOTDIR/,
  );
});

test('a buffer of an agent that gathers two payloads keeps them in memory, and reads older ones from the disk', () => {
  const buffer = openDiskBuffer(folder, BOUNDS, logger, 2);
  for (const body of ['a', 'b', 'c']) buffer.push(body);
  rmSync(newestFile());
  expect(buffer.peek(10, 1_000)).toEqual(['b', 'c']);
  expect(buffer.unreadable).toBe(1);
});
