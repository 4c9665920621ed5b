import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { signAdHoc } from './macho-signature.ts';

const TEXT_BYTES = 0x8000;
const LINK_EDIT_BYTES = 0x1235;

interface Options {
  /** Where the first section begins: load commands have room up to there. */
  firstSection?: number;
  /** The kind of an additional load command. */
  command?: number;
}

/** A Mach-O program for arm64 with one section of code and a __LINKEDIT whose size is no multiple of anything. */
function programOf({ firstSection = 0x4000, command }: Options = {}): Buffer {
  const program = Buffer.alloc(TEXT_BYTES + LINK_EDIT_BYTES, 0x5a);
  program.fill(0, 0, 0x400);
  let at = 32;
  const segment = (name: string, offset: number, bytes: number, sections: number) => {
    const size = 72 + 80 * sections;
    program.writeUInt32LE(0x19, at);
    program.writeUInt32LE(size, at + 4);
    program.write(name, at + 8);
    program.writeBigUInt64LE(BigInt(bytes), at + 32);
    program.writeBigUInt64LE(BigInt(offset), at + 40);
    program.writeBigUInt64LE(BigInt(bytes), at + 48);
    program.writeUInt32LE(sections, at + 64);
    if (sections > 0) program.writeUInt32LE(firstSection, at + 72 + 48);
    at += size;
  };
  segment('__TEXT', 0, TEXT_BYTES, 1);
  segment('__LINKEDIT', TEXT_BYTES, LINK_EDIT_BYTES, 0);
  if (command !== undefined) {
    program.writeUInt32LE(command, at);
    program.writeUInt32LE(16, at + 4);
    at += 16;
  }
  const header = [0xfeedfacf, 0x0100000c, 0, 2, command === undefined ? 2 : 3, at - 32, 0, 0];
  for (const [index, number] of header.entries()) program.writeUInt32LE(number, 4 * index);
  return program;
}

test('a signed program names the hash of each of its pages, its size and its segment of code', () => {
  const signed = signAdHoc(programOf(), 'tidewatch-agent');
  const codeBytes = 0x9240; // the size of the program, rounded up to 16
  const directory = signed.subarray(codeBytes + signed.readUInt32BE(codeBytes + 16));
  expect(directory.readUInt32BE(0)).toBe(0xfade0c02);
  expect(directory.readUInt32BE(32)).toBe(codeBytes);
  expect([directory.readBigUInt64BE(64), directory.readBigUInt64BE(72)]).toEqual([0n, BigInt(TEXT_BYTES)]);
  const name = directory.readUInt32BE(20);
  expect(directory.toString('latin1', name, directory.indexOf(0, name))).toBe('tidewatch-agent');
  const hashes = directory.readUInt32BE(16);
  const pages = Array.from({ length: directory.readUInt32BE(28) }, (_, page) => page);
  expect(pages).toHaveLength(10);
  for (const page of pages) {
    const content = signed.subarray(page * 4096, Math.min((page + 1) * 4096, codeBytes));
    const expected = createHash('sha256').update(content).digest('hex');
    expect(directory.subarray(hashes + 32 * page).toString('hex', 0, 32)).toBe(expected);
  }
});

test('the signature has a load command, and belongs to the last segment, which is mapped in whole pages', () => {
  const program = programOf();
  const signed = signAdHoc(program, 'tidewatch-agent');
  const end = 32 + program.readUInt32LE(20);
  expect(signed.readUInt32LE(16)).toBe(3);
  expect(signed.readUInt32LE(20)).toBe(program.readUInt32LE(20) + 16);
  const [command, size, offset, bytes] = [0, 4, 8, 12].map((each) => signed.readUInt32LE(end + each));
  expect([command, size, offset]).toEqual([0x1d, 16, 0x9240]);
  expect((offset ?? 0) + (bytes ?? 0)).toBe(signed.length);
  const linkEdit = end - 72;
  expect(signed.readBigUInt64LE(linkEdit + 48)).toBe(BigInt(signed.length - TEXT_BYTES));
  expect(signed.readBigUInt64LE(linkEdit + 32)).toBe(0x4000n);
});

test('what is no program without a signature and with room for one is refused', () => {
  const sign = (program: Buffer) => () => signAdHoc(program, 'tidewatch-agent');
  expect(sign(Buffer.from('#!/bin/sh\necho this is a script\n'))).toThrow('not a Mach-O program');
  expect(sign(programOf({ command: 0x1d }))).toThrow('has a signature already');
  expect(sign(programOf({ firstSection: 32 + 72 + 80 + 72 + 8 }))).toThrow('no room for the load command');
  expect(sign(Buffer.concat([programOf(), Buffer.alloc(16)]))).toThrow('does not end with its segment');
});
