import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type AgentRelease, signedTextOf } from '@tidewatch/contracts/agent/agent-release';

/** The level of zstd for each level of xz: about as fast. */
const ZSTD_LEVELS = [1, 3, 5, 7, 9, 11, 12, 15, 17, 19];

/** Reads a private Ed25519 key (PEM). Throws if the file has no such key. */
export function readSigningKey(path: string): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `--signing-key ${path}: it must be an Ed25519 key, as openssl genpkey -algorithm ed25519 makes it`,
    );
  return key;
}

/** The public key of a private one, in the form in which it is built into the agent. */
export function updateKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Reads a public Ed25519 key (PEM), in the form in which it is built into the agent. Throws if the file has no such key. */
export function readUpdateKey(path: string): string {
  const key = createPublicKey(readFileSync(path));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`--update-key ${path}: it must be an Ed25519 key`);
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Compresses an executable for updates. Returns the path of the result. */
export async function compressExecutable(path: string, compression: string): Promise<string> {
  const level = ZSTD_LEVELS[Number(compression)] ?? 3;
  const compressed = `${path}.zst`;
  const encoder = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
  await pipeline(createReadStream(path), encoder, createWriteStream(compressed));
  return compressed;
}

/** Writes which version is served, signed if there is a key. */
export function writeRelease(
  paths: readonly string[],
  version: string,
  key: KeyObject | undefined,
  path: string,
): void {
  const files = paths.map((each) => {
    const content = readFileSync(each);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { name: basename(each), bytes: content.length, sha256 };
  });
  const text = Buffer.from(signedTextOf({ version, files }));
  const signature = key === undefined ? null : sign(null, text, key).toString('base64');
  const release: AgentRelease = { version, files, signature };
  writeFileSync(path, `${JSON.stringify(release, null, 2)}\n`);
}
