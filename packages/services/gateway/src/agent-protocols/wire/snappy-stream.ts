import { BodyTooLargeError } from './body-too-large-error.ts';
import { crc32c } from './crc32c.ts';
import { MalformedBodyError } from './malformed-body-error.ts';
import { decodeBlockInto, decodedLength } from './snappy-block.ts';

/** What a framed stream of snappy begins with: the chunk that identifies it. */
const IDENTIFIER = Buffer.from([0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]);

const COMPRESSED = 0x00;
const UNCOMPRESSED = 0x01;
const FIRST_SKIPPABLE = 0x80;
const IDENTIFIES = 0xff;
const CHECKSUM_BYTES = 4;

/** The max length of the content of a chunk, as the format says. */
const MAX_CHUNK_BYTES = 65_536;

/** A chunk that holds data: where its content lies in the body, after its checksum, and its length once it is decoded. */
interface Chunk {
  isCompressed: boolean;
  checksum: number;
  start: number;
  end: number;
  length: number;
}

const malformed = (what: string) => new MalformedBodyError(`The body is not a valid snappy stream: ${what}.`);

/** Whether a body begins like a framed stream, which no useful block does. */
export function isSnappyStream(bytes: Buffer): boolean {
  return bytes.length >= IDENTIFIER.length && bytes.compare(IDENTIFIER, 0, 10, 0, 10) === 0;
}

/** The chunk with data at `at`; null for one that holds none. `end` is where the chunk ends. */
function chunkAt(bytes: Buffer, at: number, end: number): Chunk | null {
  const type = bytes[at] as number;
  if (type !== COMPRESSED && type !== UNCOMPRESSED) {
    if (type < FIRST_SKIPPABLE) throw malformed(`it has a chunk of the unknown type ${type}`);
    if (type === IDENTIFIES && bytes.compare(IDENTIFIER, 4, 10, at + 4, end) !== 0)
      throw malformed('it is identified as something else');
    return null;
  }
  const start = at + 4 + CHECKSUM_BYTES;
  if (start > end) throw malformed('a chunk has no checksum');
  const isCompressed = type === COMPRESSED;
  const length = isCompressed ? decodedLength(bytes, start, end, MAX_CHUNK_BYTES) : end - start;
  if (length > MAX_CHUNK_BYTES) throw malformed(`a chunk has more than ${MAX_CHUNK_BYTES} bytes`);
  return { isCompressed, checksum: bytes.readUInt32LE(at + 4), start, end, length };
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw malformed('a chunk is incomplete');
    const end = at + 4 + bytes.readUIntLE(at + 1, 3);
    if (end > bytes.length) throw malformed('a chunk is incomplete');
    const chunk = chunkAt(bytes, at, end);
    if (chunk !== null) yield chunk;
    at = end;
  }
}

/** The checksum of a chunk's content as the format masks it. */
function maskedChecksum(bytes: Buffer, start: number, end: number): number {
  const sum = crc32c(bytes, start, end);
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}

/**
 * Decodes a framed stream of snappy of at most `maxLength` bytes once it is decoded; the lengths of all chunks are added up
 * before memory is allocated. Throws `MalformedBodyError` also where a checksum is wrong.
 */
export function decodeSnappyStream(bytes: Buffer, maxLength: number): Buffer {
  let total = 0;
  for (const { length } of chunksOf(bytes)) {
    total += length;
    if (total > maxLength) throw BodyTooLargeError.ofLength(maxLength);
  }
  const output = Buffer.allocUnsafe(total);
  let written = 0;
  for (const { isCompressed, checksum, start, end, length } of chunksOf(bytes)) {
    if (isCompressed) decodeBlockInto(bytes, start, end, output, written, length);
    else bytes.copy(output, written, start, end);
    if (maskedChecksum(output, written, written + length) !== checksum)
      throw malformed('the checksum of a chunk is wrong');
    written += length;
  }
  return output;
}
