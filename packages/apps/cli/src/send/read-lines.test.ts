import { expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

async function* chunks(...parts: Uint8Array[]) {
  yield* parts;
}

async function lines(...parts: Uint8Array[]): Promise<string[]> {
  const all: string[] = [];
  for await (const line of readLines(chunks(...parts))) all.push(line);
  return all;
}

it('readLines joins lines and characters that are split over chunks', async () => {
  const bytes = new TextEncoder().encode('{"host":"ü"}\n\n{"b":1}\nlast');
  for (let at = 1; at < bytes.length; at += 1)
    expect(await lines(bytes.subarray(0, at), bytes.subarray(at))).toEqual([
      '{"host":"ü"}',
      '',
      '{"b":1}',
      'last',
    ]);
});

it('readLines yields no line for an empty stream', async () => {
  expect(await lines()).toEqual([]);
});

it('readLines rejects input that is not UTF-8, also at the end', async () => {
  await expect(lines(Uint8Array.of(0xff, 0x0a))).rejects.toThrow(/UTF-8/);
  await expect(lines(Uint8Array.of(0x61, 0xc3))).rejects.toThrow(/UTF-8/);
});

it('readLines rejects a line longer than 16 MiB', async () => {
  const piece = new Uint8Array(6 * 1024 * 1024).fill(0x61);
  await expect(lines(piece, piece, piece)).rejects.toThrow(/16 MiB/);
});
