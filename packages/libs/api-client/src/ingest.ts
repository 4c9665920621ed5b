import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TidewatchClient } from './client.ts';
import type { components } from './generated/api.ts';
import { ApiProblem } from './problem.ts';

export type Payload = components['schemas']['Payload'];
export type IngestAnswer = components['schemas']['IngestAnswer'];

export interface SendOptions {
  /**
   * If true, the server accepts the valid payloads of a batch and reports the invalid ones, instead of refusing the
   * whole batch.
   */
  lenient?: boolean;
  /** If true, the response reports the members of payloads that were ignored. */
  warnings?: boolean;
  signal?: AbortSignal;
}

const COMPRESS_FROM = 1024;
const compress = promisify(gzip);

/**
 * Sends a body to ingest unchanged: one payload, an array, or one payload per line. Throws ApiProblem or
 * UnreachableError.
 */
export async function sendBody(
  client: TidewatchClient,
  body: string,
  type: 'application/json' | 'application/x-ndjson',
  { lenient = false, warnings = false, signal }: SendOptions = {},
): Promise<IngestAnswer> {
  const compressed = body.length >= COMPRESS_FROM ? new Uint8Array(await compress(body)) : undefined;
  const preferences = [...(lenient ? ['handling=lenient'] : []), ...(warnings ? ['warnings'] : [])];
  return client.post('/api/v1/ingest', {
    // The body is text already, whatever its form.
    body: [],
    bodySerializer: () => compressed ?? body,
    headers: {
      'Content-Type': type,
      ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
      ...(compressed && { 'Content-Encoding': 'gzip' }),
    },
    ...(signal && { signal }),
  });
}

export interface BatchBounds {
  payloads: number;
  /** The max size of the text of a batch before compression, bytes. */
  bytes: number;
}

/** The max size of a batch. The server's limits are 1,000 payloads, 1 MiB compressed and 16 MiB of text. */
export const BATCH: BatchBounds = { payloads: 1_000, bytes: 4 * 1024 * 1024 };

export interface Batch {
  /** The number of the batch's first line in the whole text, from 1; blank lines are counted. */
  firstLine: number;
  /** The lines of the batch, each with its number in the whole text. */
  lines: { number: number; text: string }[];
}

/**
 * Groups the lines of an NDJSON text into batches and leaves blank lines out. Reads no line before the next batch is
 * requested.
 */
export async function* batches(
  lines: AsyncIterable<string> | Iterable<string>,
  bounds: BatchBounds = BATCH,
): AsyncGenerator<Batch> {
  let batch: Batch['lines'] = [];
  let bytes = 0;
  let number = 0;
  const full = () => ({ firstLine: batch[0]?.number ?? 0, lines: batch });
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    const size = Buffer.byteLength(text) + 1;
    if (batch.length > 0 && (batch.length >= bounds.payloads || bytes + size > bounds.bytes)) {
      yield full();
      batch = [];
      bytes = 0;
    }
    batch.push({ number, text });
    bytes += size;
  }
  if (batch.length > 0) yield full();
}

/** A payload that was refused, and why. */
export interface Refusal {
  line: number;
  /** The JSON Pointer to the fault in the payload of that line. */
  path: string;
  code: string;
  message: string;
}

/** A member of payloads that the server ignores; its location is in the first payload of the batch that has it. */
export interface IgnoredField extends Refusal {
  /** The number of payloads in the batch that have the member. */
  payloads: number;
}

export interface BatchOutcome {
  accepted: number;
  rejected: number;
  refusals: Refusal[];
  /** The ignored members; empty unless `warnings` was requested. */
  warnings: IgnoredField[];
}

/**
 * Sends lines of NDJSON batch by batch, one request at a time, and yields the outcome of each. A batch that is too large for
 * the server is halved. Without `lenient` it ends at the first batch with a fault: `refusals` then has the lines.
 */
export async function* sendLines(
  client: TidewatchClient,
  lines: AsyncIterable<string> | Iterable<string>,
  options: SendOptions & { bounds?: BatchBounds } = {},
): AsyncGenerator<BatchOutcome> {
  for await (const batch of batches(lines, options.bounds)) {
    const outcome = await sendBatch(client, batch.lines, options);
    yield outcome;
    if (outcome.rejected > 0 && !options.lenient) return;
  }
}

async function sendBatch(
  client: TidewatchClient,
  lines: Batch['lines'],
  options: SendOptions,
): Promise<BatchOutcome> {
  const body = lines.map(({ text }) => text).join('\n');
  try {
    const answer = await sendBody(client, body, 'application/x-ndjson', options);
    const { events_accepted: accepted, events_rejected: rejected = 0, errors = [], warnings = [] } = answer;
    return {
      accepted,
      rejected,
      refusals: errors.map((fault) => refusal(fault, lines)),
      warnings: warnings.map((each) => ({ ...refusal(each, lines), payloads: each.payloads })),
    };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.status === 413 && lines.length > 1) return sendHalves(client, lines, options);
    if (error.status !== 422 || error.errors.length === 0) throw error;
    const refusals = error.errors.map((fault) => refusal(fault, lines));
    return { accepted: 0, rejected: lines.length, refusals, warnings: [] };
  }
}

async function sendHalves(
  client: TidewatchClient,
  lines: Batch['lines'],
  options: SendOptions,
): Promise<BatchOutcome> {
  const middle = Math.ceil(lines.length / 2);
  const first = await sendBatch(client, lines.slice(0, middle), options);
  if (first.rejected > 0 && !options.lenient) return first;
  const second = await sendBatch(client, lines.slice(middle), options);
  return {
    accepted: first.accepted + second.accepted,
    rejected: first.rejected + second.rejected,
    refusals: [...first.refusals, ...second.refusals],
    warnings: [...first.warnings, ...second.warnings],
  };
}

/** Maps an index in a batch to the line that was read. */
function refusal(fault: { path: string; code: string; message: string }, lines: Batch['lines']): Refusal {
  const [, index, path = ''] = /^\/(\d+)(.*)$/s.exec(fault.path) ?? [undefined, '0', fault.path];
  const line = lines[Number(index)]?.number ?? lines[0]?.number ?? 0;
  return { line, path, code: fault.code, message: fault.message };
}
