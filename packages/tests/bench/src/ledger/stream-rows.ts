import type { Sql } from '@tidewatch/store/connection';

/** What a query may sort in memory; with the server's few megabytes a long load's rows would go to disk and back many times. */
const SORT_MEMORY = '512MB';

/** The fields of each row of a query, as COPY's text writes them; `\N` is null. Nothing but this holds them. */
export async function* streamRows(sql: Sql, query: string): AsyncGenerator<string[]> {
  const connection = await sql.reserve();
  try {
    await connection.unsafe(`set work_mem = '${SORT_MEMORY}'`);
    yield* fieldsOf(await connection.unsafe(`copy (${query}) to stdout`).readable());
  } finally {
    connection.release();
  }
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
