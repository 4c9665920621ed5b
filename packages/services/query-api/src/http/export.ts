import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportFormat } from '@tidewatch/contracts/values/export';
import { type FieldSelection, pickFields } from '@tidewatch/contracts/values/fields';
import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import type { Sql, Transaction } from '@tidewatch/store/connection';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { columnsOf, csvHeader, csvLines } from './csv.ts';
import { Places } from './places.ts';

/** Exports that one process runs at once: each holds a connection for as long as its reader takes. */
const MOST_AT_ONCE = 3;
const RETRY_AFTER_SECONDS = 5;
/** A reader that takes longer is cut off, ms: what it reads is a snapshot that the database keeps for it. */
const LONGEST_MS = 600_000;
const PAGED = ['limit', 'offset', 'cursor', 'as_of'];

/** What to export: rows of a shape, portion by portion, in a transaction of one snapshot. */
export interface Export {
  format: Exclude<ExportFormat, 'json'>;
  shape: z.ZodRawShape;
  fields?: FieldSelection | undefined;
  rows(tx: Transaction): AsyncIterable<object[]>;
}

/** The form that a request asks for, by `format` or else by Accept. */
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

/** Sends exports, a few at a time. */
export class Exporter {
  readonly #sql: Sql;
  readonly #places = new Places(MOST_AT_ONCE);

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Sends everything at the pace of its reader; the database's cursor ends with the reader. */
  async send(request: Request, response: Response, what: Export): Promise<void> {
    refusePages(request);
    if (this.#places.isFull)
      throw new ProblemError('export_running', { headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` } });
    const signal = AbortSignal.timeout(LONGEST_MS);
    const leave = await this.#places.enter(signal);
    try {
      await this.#sql.begin('isolation level repeatable read read only', async (tx) => {
        const pieces = what.format === 'csv' ? csv(what, tx) : ndjson(what, tx);
        // What fails before the first piece can still be told.
        const first = await pieces.next();
        if (response.destroyed) return;
        response.setHeader('Content-Type', `${EXPORT_TYPES[what.format]}; charset=utf-8`);
        await pipeline(Readable.from(continued(first, pieces), { highWaterMark: 1 }), response, { signal });
      });
    } finally {
      leave();
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

/** An export is everything as of now. */
function refusePages(request: Request): void {
  const faults = PAGED.filter((name) => Object.hasOwn(request.query, name)).map((name): Fault => {
    return { in: 'query', path: `/${name}`, code: 'conflicting', message: 'Is not for exports.' };
  });
  if (faults.length > 0) throw validationProblem(faults);
}
