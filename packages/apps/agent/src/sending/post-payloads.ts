import { Agent, type ProxyEnv } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { IngestAnswer } from '@tidewatch/api-client/ingest';
import { problemOf, unreachable } from '@tidewatch/api-client/problem';
import { exchange } from '../http/exchange.ts';
import type { ClientCertificate } from './client-certificate.ts';

export interface PostOptions {
  /** The address of the service; `/api/v1/ingest` is appended. */
  url: string;
  /** Proxies on the way to the service; undefined to connect directly. */
  proxies?: ProxyEnv | undefined;
  /** Returns the certificate of this agent; undefined for none. Another object means other connections. */
  certificate?: (() => ClientCertificate) | undefined;
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** Timeout of one request with its answer, ms. */
  timeoutMs: number;
}

/**
 * Sends a payload, or a JSON array of payloads. Resolves to the answer, whose form is not checked: undefined if it is no JSON.
 * Rejects with ApiProblem or UnreachableError.
 */
export type PostPayloads = (
  text: string,
  key: string,
  signal: AbortSignal,
) => Promise<Partial<IngestAnswer> | undefined>;

const COMPRESS_FROM_BYTES = 1024;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const compress = promisify(gzip);

/** Creates the function that sends payloads, over connections that are kept between requests. */
export function createPost({ url, proxies, certificate, clock, timeoutMs }: PostOptions): PostPayloads {
  const target = new URL(`${url.replace(/\/+$/, '')}/api/v1/ingest`);
  const settings = { keepAlive: true, ...(proxies && { proxyEnv: proxies }) };
  let agent: Agent | undefined;
  let shown: ClientCertificate | undefined;

  async function agentOf(current: ClientCertificate | undefined): Promise<Agent> {
    if (agent !== undefined && shown === current) return agent;
    agent?.destroy();
    shown = current;
    agent =
      target.protocol === 'https:'
        ? new (await import('node:https')).Agent({ ...settings, ...current })
        : new Agent(settings);
    return agent;
  }

  return async (text, key, signal) => {
    const isLarge = text.length >= COMPRESS_FROM_BYTES;
    const headers = {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Prefer: 'handling=lenient',
      'X-API-Key': key,
      ...(isLarge && { 'Content-Encoding': 'gzip' }),
    };
    const body = isLarge ? await compress(text) : text;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const request = {
      method: 'POST',
      headers,
      body,
      agent: await agentOf(certificate?.()),
      signal: limited,
      maxBytes: MAX_ANSWER_BYTES,
    } as const;
    const answer = await exchange(target, request).catch((error) => {
      throw unreachable(error, url);
    });
    if (answer.status < 200 || answer.status >= 300) throw problemOf(answer, answer.body, clock());
    return parse(answer.body);
  };
}

function parse(text: string): Partial<IngestAnswer> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
