import type { Sql } from '@tidewatch/database/connection';

/** Yields the fields of each row of a query, in COPY's text format (`\N` is null), without holding other rows. */
export async function* streamRows(sql: Sql, query: string): AsyncGenerator<string[]> {
  yield* fieldsOf(await sql.unsafe(`copy (${query}) to stdout`).readable());
}

async function* fieldsOf(stream: AsyncIterable<unknown>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t');
  }
}
