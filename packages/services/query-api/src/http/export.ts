import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Fault, validationProblem } from '@tidewatch/contracts/problems/problem';
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportFormat } from '@tidewatch/contracts/queries/export';
import { type FieldSelection, pickFields } from '@tidewatch/contracts/queries/fields';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { clientGone } from './client-gone.ts';
import { columnsOf, csvHeader, csvLines } from './csv.ts';
import { OrganizationShare } from './organization-share.ts';

/**
 * The max number of concurrent exports of a process, in all and of one organization: each uses a connection while its
 * client reads.
 */
const MAX_AT_ONCE = 6;
const MAX_OF_ORGANIZATION = 2;
const MAX_WAITING = 4;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
/** The time limit of an export, ms, during which the database keeps a snapshot. */
const MAX_MS = 600_000;
/** An export is aborted if its client reads nothing for this time, ms, plus a second for each 16 KiB that waits. */
const MAX_STALL_MS = 10_000;
const STALL_BYTES_PER_MS = 16;
/** The max bytes per write, so that a client that reads nothing is detected soon. */
const SLICE_BYTES = 65_536;
const PAGED = ['limit', 'offset', 'cursor', 'as_of'];

/** An export of rows of one shape, read in portions within one transaction of a single snapshot. */
export interface Export {
  format: Exclude<ExportFormat, 'json'>;
  shape: z.ZodRawShape;
  fields?: FieldSelection | undefined;
  rows(tx: Transaction): AsyncIterable<object[]>;
}

/** The format that a request asks for, by `format` or otherwise by Accept. */
export function formatOf(
  request: Request,
  response: Response,
  format: ExportFormat | undefined,
): ExportFormat {
  response.vary('Accept');
  if (format !== undefined) return format;
  const accepted = request.accepts(EXPORT_FORMATS.map((each) => EXPORT_TYPES[each]));
  return EXPORT_FORMATS.find((each) => EXPORT_TYPES[each] === accepted) ?? 'json';
}

/** Sends exports, a few at a time and in turn between organizations. */
export class Exporter {
  readonly #sql: Sql;
  readonly #share: OrganizationShare;
  readonly #maxStallMs: number;

  constructor(sql: Sql, metrics: Metrics, maxStallMs = MAX_STALL_MS) {
    this.#sql = sql;
    this.#maxStallMs = maxStallMs;
    this.#share = new OrganizationShare({
      resource: 'exports',
      code: 'export_running',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      metrics,
      capacity: MAX_AT_ONCE,
      maxPerOrganization: MAX_OF_ORGANIZATION,
      reserve: 1,
      smallShare: 1,
      maxWaitingPerOrganization: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
    });
  }

  /** Sends an export at the speed of its client; the cursor in the database ends when the client disconnects. */
  async send(request: Request, response: Response, what: Export): Promise<void> {
    refusePages(request);
    const holding = await this.#share.take(keyOf(response).organizationId, clientGone(response));
    try {
      await this.#sql.begin('isolation level repeatable read read only', async (tx) => {
        const pieces = what.format === 'csv' ? csv(what, tx) : ndjson(what, tx);
        await this.#stream(response, `${EXPORT_TYPES[what.format]}; charset=utf-8`, pieces);
      });
    } finally {
      holding.release();
    }
  }

  /** Sends pieces that need no transaction, within the same limits. */
  async sendPieces(response: Response, type: string, pieces: AsyncGenerator<string, void>): Promise<void> {
    const holding = await this.#share.take(keyOf(response).organizationId, clientGone(response));
    try {
      await this.#stream(response, type, pieces);
    } finally {
      holding.release();
    }
  }

  async #stream(response: Response, type: string, pieces: AsyncGenerator<string, void>): Promise<void> {
    // Reads the first piece before sending, because an earlier failure can still be answered with a problem.
    const first = await pieces.next();
    if (response.destroyed) return;
    response.setHeader('Content-Type', type);
    const stalled = new AbortController();
    const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), stalled.signal]);
    const read = untilStalled(continued(first, pieces), this.#maxStallMs, stalled);
    await pipeline(Readable.from(read, { highWaterMark: 1 }), response, { signal });
  }
}

/** Aborts the export when the client reads nothing within the time limit. */
async function* untilStalled(
  pieces: AsyncGenerator<string, void>,
  maxStallMs: number,
  stalled: AbortController,
): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      const slice = bytes.subarray(start, start + SLICE_BYTES);
      const reason = new Error('timeout: the client of an export reads nothing');
      const withinMs = maxStallMs + slice.length / STALL_BYTES_PER_MS;
      const timer = setTimeout(() => stalled.abort(reason), withinMs);
      try {
        yield slice;
      } finally {
        clearTimeout(timer);
      }
    }
  }
}

async function* continued(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* csv({ shape, fields, rows }: Export, tx: Transaction): AsyncGenerator<string, void> {
  const columns = columnsOf(shape, fields);
  yield csvHeader(columns);
  for await (const portion of rows(tx)) yield csvLines(portion, columns);
}

async function* ndjson({ fields, rows }: Export, tx: Transaction): AsyncGenerator<string, void> {
  for await (const portion of rows(tx))
    yield portion.map((row) => `${JSON.stringify(pickFields(row, fields))}\n`).join('');
}

/** Refuses the parameters of pages, because an export is always complete. */
function refusePages(request: Request): void {
  const faults = PAGED.filter((name) => Object.hasOwn(request.query, name)).map((name): Fault => {
    return { in: 'query', path: `/${name}`, code: 'conflicting', message: 'Is not for exports.' };
  });
  if (faults.length > 0) throw validationProblem(faults);
}
