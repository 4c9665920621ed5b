import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, type ProxyEnv, request as requestHttp } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { AgentRelease } from '@tidewatch/contracts/agent/agent-release';
import { exchange } from '../http/exchange.ts';
import type { ClientCertificate } from '../sending/client-certificate.ts';
import { RefusedUpdateError } from './refused-update.ts';

export interface DownloadSource {
  /** The address of the service; `/downloads/…` is appended. */
  url: string;
  proxies: ProxyEnv | undefined;
  certificate: ClientCertificate | undefined;
  /** The time within which a file has to be complete, ms. */
  timeoutMs: number;
}

const MAX_EXECUTABLE_BYTES = 512 * 1024 * 1024;
const MAX_RELEASE_BYTES = 64 * 1024;
const RELEASE_TIMEOUT_MS = 30_000;

/** Fetches a small text file. Throws a RefusedUpdateError unless the answer is 200. */
export async function downloadText(source: DownloadSource, name: string): Promise<string> {
  const url = addressOf(source, name);
  const agent = await agentOf(source, url);
  const signal = AbortSignal.timeout(RELEASE_TIMEOUT_MS);
  const { status, body } = await exchange(url, { agent, signal, maxBytes: MAX_RELEASE_BYTES }).catch(
    (error) => {
      throw failed(url, error);
    },
  );
  if (status !== 200) throw new RefusedUpdateError(`${url} answers with ${status}`);
  return body;
}

/**
 * Downloads a compressed executable and unpacks it to `path`, with size and sum checked before it is unpacked. Throws a
 * RefusedUpdateError, and leaves nothing behind then.
 */
export async function downloadExecutable(
  source: DownloadSource,
  file: AgentRelease['files'][number],
  path: string,
): Promise<void> {
  const packed = `${path}.zst`;
  try {
    await downloadFile(source, file, packed);
    const unpacked = createWriteStream(path, { mode: 0o755, flush: true });
    await pipeline(
      createReadStream(packed),
      createZstdDecompress(),
      limited(MAX_EXECUTABLE_BYTES, file.name),
      unpacked,
    );
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    rmSync(packed, { force: true });
  }
}

async function downloadFile(
  source: DownloadSource,
  { name, bytes, sha256 }: AgentRelease['files'][number],
  path: string,
): Promise<void> {
  const url = addressOf(source, name);
  const hash = createHash('sha256');
  let received = 0;
  try {
    const response = await open(source, url);
    if (response.statusCode !== 200) {
      response.destroy();
      throw new RefusedUpdateError(`${url} answers with ${response.statusCode}`);
    }
    const counted = limited(bytes, name);
    counted.on('data', (chunk: Buffer) => {
      received += chunk.length;
      hash.update(chunk);
    });
    await pipeline(response, counted, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    throw failed(url, error);
  }
  if (received !== bytes)
    throw new RefusedUpdateError(
      `${url} has ${received} bytes, but ${bytes} are announced: it is not complete`,
    );
  if (!hash.digest().equals(Buffer.from(sha256, 'hex')))
    throw new RefusedUpdateError(`${url} does not have the SHA-256 that is announced`);
}

async function open(source: DownloadSource, url: URL): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  const agent = await agentOf(source, url);
  const signal = AbortSignal.timeout(source.timeoutMs);
  return await new Promise((resolve, reject) => {
    const request = send(url, { agent, signal });
    request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    request.on('response', resolve);
    request.end();
  });
}

function addressOf({ url }: DownloadSource, name: string): URL {
  return new URL(`${url.replace(/\/+$/, '')}/downloads/${name}`);
}

async function agentOf({ proxies, certificate }: DownloadSource, { protocol }: URL): Promise<Agent> {
  const settings = { ...(proxies && { proxyEnv: proxies }) };
  return protocol === 'https:'
    ? new (await import('node:https')).Agent({ ...settings, ...certificate })
    : new Agent(settings);
}

/** Passes on at most `bytes`, and fails beyond them. */
function limited(bytes: number, name: string): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new RefusedUpdateError(`${name} is larger than ${bytes} bytes`));
      else done(null, chunk);
    },
  });
}

function failed(url: URL, error: unknown): RefusedUpdateError {
  if (error instanceof RefusedUpdateError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new RefusedUpdateError(`${url} could not be downloaded: ${code ?? message}`, { cause: error });
}
