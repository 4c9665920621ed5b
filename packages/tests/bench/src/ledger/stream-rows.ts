import type { Sql } from '@tidewatch/store/connection';

/** The fields of each row of a query, as COPY's text writes them; `\N` is null. Nothing but this holds them. */
export async function* streamRows(sql: Sql, query: string): AsyncGenerator<string[]> {
  const stream = await sql.unsafe(`copy (${query}) to stdout`).readable();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.split('\t');
  }
}
