import { createHash } from 'node:crypto';

// Numbers of Apple's mach-o/loader.h and cs_blobs.h. A Mach-O file is little-endian, a signature is big-endian.
const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const LC_SEGMENT_64 = 0x19;
const SEGMENT_BYTES = 72;
const SECTION_BYTES = 80;
const LC_CODE_SIGNATURE = 0x1d;
const SIGNATURE_COMMAND_BYTES = 16;
const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The first version of the directory that names the segment of the program. */
const DIRECTORY_VERSION = 0x20400;
/** Made by no certificate, and as by a linker, so that `codesign` replaces it without --force. */
const ADHOC_LINKER_SIGNED = 0x20002;
const SHA256_TYPE = 2;
const HASH_BYTES = 32;
const PAGE_BITS = 12;
const PAGE_BYTES = 2 ** PAGE_BITS;
const SUPER_BLOB_BYTES = 20;
const DIRECTORY_BYTES = 88;
const UNUSED_BYTES = 24;
const MAIN_BINARY = 1n;
const ALIGNMENT = 16;
/** Segments are mapped in whole pages of this size, that of Apple's processors. */
const SEGMENT_PAGE_BYTES = 0x4000;
const MAX_LOAD_COMMANDS = 1_000;

interface Layout {
  commands: number;
  /** Where the load commands end, and where the first section begins. */
  commandsEnd: number;
  firstSection: number;
  /** Where the load command of the last segment begins, which a signature belongs to. */
  linkEdit: number;
  /** Position and size of the segment of code in the file, bytes. */
  textOffset: bigint;
  textBytes: bigint;
}

/**
 * Adds a signature without a certificate ("ad hoc") to a Mach-O program that has none: Apple's processors run no program without
 * one. Returns the signed program. Throws if the file is no such program, is signed, or has no room for a signature. The form is that
 * of Go's linker (cmd/internal/codesign).
 */
export function signAdHoc(program: Buffer, identifier: string): Buffer {
  const { commands, commandsEnd, firstSection, linkEdit, textOffset, textBytes } = readLayout(program);
  const linkEditOffset = Number(program.readBigUInt64LE(linkEdit + 40));
  if (linkEditOffset + Number(program.readBigUInt64LE(linkEdit + 48)) !== program.length)
    throw new Error('the Mach-O file does not end with its segment __LINKEDIT');
  if (firstSection - commandsEnd < SIGNATURE_COMMAND_BYTES)
    throw new Error('the Mach-O file has no room for the load command of a signature');
  const codeBytes = roundUp(program.length, ALIGNMENT);
  const pages = Math.ceil(codeBytes / PAGE_BYTES);
  const name = Buffer.from(`${identifier}\0`);
  const hashOffset = DIRECTORY_BYTES + name.length;
  const directoryBytes = hashOffset + pages * HASH_BYTES;
  const bytes = SUPER_BLOB_BYTES + directoryBytes;
  const padded = roundUp(bytes, ALIGNMENT);
  const signed = Buffer.alloc(codeBytes + padded);
  program.copy(signed);
  // The load commands are part of the first page, so that they change before its hash is made.
  signed.writeUInt32LE(commands + 1, 16);
  signed.writeUInt32LE(commandsEnd - HEADER_BYTES + SIGNATURE_COMMAND_BYTES, 20);
  const command = [LC_CODE_SIGNATURE, SIGNATURE_COMMAND_BYTES, codeBytes, padded];
  for (const [index, number] of command.entries()) signed.writeUInt32LE(number, commandsEnd + 4 * index);
  const linkEditBytes = signed.length - linkEditOffset;
  signed.writeBigUInt64LE(BigInt(roundUp(linkEditBytes, SEGMENT_PAGE_BYTES)), linkEdit + 32);
  signed.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit + 48);

  const superBlob = [EMBEDDED_SIGNATURE, bytes, 1, 0, SUPER_BLOB_BYTES];
  const directory = [CODE_DIRECTORY, directoryBytes, DIRECTORY_VERSION, ADHOC_LINKER_SIGNED];
  const slots = [hashOffset, DIRECTORY_BYTES, 0, pages, codeBytes];
  let at = codeBytes;
  for (const number of [...superBlob, ...directory, ...slots]) at = signed.writeUInt32BE(number, at);
  for (const number of [HASH_BYTES, SHA256_TYPE, 0, PAGE_BITS]) at = signed.writeUInt8(number, at);
  at += UNUSED_BYTES;
  for (const number of [textOffset, textBytes, MAIN_BINARY]) at = signed.writeBigUInt64BE(number, at);
  at += name.copy(signed, at);
  for (let page = 0; page < pages; page += 1) {
    const content = signed.subarray(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, codeBytes));
    at += createHash('sha256').update(content).digest().copy(signed, at);
  }
  return signed;
}

function roundUp(number: number, unit: number): number {
  return Math.ceil(number / unit) * unit;
}

function readLayout(program: Buffer): Layout {
  if (program.length < HEADER_BYTES || program.readUInt32LE(0) !== MAGIC_64)
    throw new Error('not a Mach-O program of 64 bits');
  const commands = program.readUInt32LE(16);
  if (commands > MAX_LOAD_COMMANDS) throw new Error(`the Mach-O file has ${commands} load commands`);
  let firstSection = program.length;
  const found: Partial<Layout> = {};
  let at = HEADER_BYTES;
  for (let each = 0; each < commands; each += 1) {
    const command = program.readUInt32LE(at);
    if (command === LC_CODE_SIGNATURE) throw new Error('the Mach-O file has a signature already');
    if (command === LC_SEGMENT_64) {
      const segment = program.toString('latin1', at + 8, at + 24).replace(/\0.*$/s, '');
      if (segment === '__LINKEDIT') found.linkEdit = at;
      if (segment === '__TEXT') {
        found.textOffset = program.readBigUInt64LE(at + 40);
        found.textBytes = program.readBigUInt64LE(at + 48);
      }
      firstSection = Math.min(firstSection, ...sectionsOf(program, at));
    }
    at += program.readUInt32LE(at + 4);
  }
  const { linkEdit, textOffset, textBytes } = found;
  if (linkEdit === undefined || textOffset === undefined || textBytes === undefined)
    throw new Error('the Mach-O file lacks the segment __TEXT or __LINKEDIT');
  return { commands, commandsEnd: at, firstSection, linkEdit, textOffset, textBytes };
}

/** Where the sections of a segment begin in the file; those without content are left out. */
function sectionsOf(program: Buffer, segment: number): number[] {
  const count = program.readUInt32LE(segment + 64);
  return Array.from({ length: count }, (_, index) =>
    program.readUInt32LE(segment + SEGMENT_BYTES + index * SECTION_BYTES + 48),
  ).filter((offset) => offset > 0);
}
