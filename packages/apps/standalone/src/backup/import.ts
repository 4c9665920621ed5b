import type { Sql, Transaction } from '@tidewatch/store/connection';
import { copyInto } from '@tidewatch/store/samples/copy';
import { type BackupHeader, END_OF_BACKUP, END_OF_ROWS, quoted } from './format.ts';

/** The file is no whole backup, or the database is not one that it may go into. */
export class ImportRefusedError extends Error {}

/** Bytes of one COPY. */
const CHUNK = 4 * 2 ** 20;

/**
 * Reads the rows of a backup into a database that has the header's schema and no data: all of them or none.
 * `lines` begins after the header. Answers how many rows there were.
 */
export async function importAll(
  adminSql: Sql,
  header: BackupHeader,
  lines: AsyncIterable<string>,
): Promise<number> {
  const result = await adminSql.begin(async (tx) => {
    const [existing] = await tx`select 1 from tidewatch.organizations limit 1`;
    if (existing) {
      throw new ImportRefusedError('There is data already. Choose an empty folder by TIDEWATCH_DATA_DIR.');
    }
    // Triggers would count what the backup's own counters hold already.
    await tx.unsafe('set local session_replication_role = replica');
    await tx.unsafe('set local statement_timeout = 0');
    await tx.unsafe(`truncate ${header.tables.map(({ name }) => `tidewatch.${quoted(name)}`).join(', ')}`);
    for (const [parent, from, to] of header.partitions) {
      await tx`select tidewatch.ensure_partition(${parent}, ${from}::timestamptz, ${to}::timestamptz)`;
    }
    const rows = await copyTables(tx, header, lines);
    await advanceIdentities(tx);
    return rows;
  });
  return result as number;
}

async function copyTables(
  tx: Transaction,
  header: BackupHeader,
  lines: AsyncIterable<string>,
): Promise<number> {
  let statement: string | null = null;
  let waiting: string[] = [];
  let size = 0;
  let rows = 0;
  async function flush(): Promise<void> {
    if (statement && waiting.length > 0) {
      await copyInto(tx, statement, [Buffer.from(`${waiting.join('\n')}\n`)]);
    }
    waiting = [];
    size = 0;
  }
  for await (const line of lines) {
    if (statement && line === END_OF_ROWS) {
      await flush();
      statement = null;
    } else if (statement) {
      waiting.push(line);
      size += line.length + 1;
      rows += 1;
      if (size >= CHUNK) {
        await flush();
      }
    } else if (line === END_OF_BACKUP) {
      return rows;
    } else {
      statement = copyStatement(header, line);
    }
  }
  throw new ImportRefusedError('The file ends too early: it is not a whole backup.');
}

function copyStatement(header: BackupHeader, line: string): string {
  const name: unknown = JSON.parse(line).table;
  const table = header.tables.find((each) => each.name === name);
  if (!table) {
    throw new ImportRefusedError('The file names a table that its header does not have.');
  }
  return `copy tidewatch.${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin`;
}

async function advanceIdentities(tx: Transaction): Promise<void> {
  const columns = await tx<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'tidewatch' and is_identity = 'YES'`;
  for (const { table, column } of columns) {
    await tx.unsafe(`select setval(pg_get_serial_sequence('tidewatch.${quoted(table)}', '${column}'), max(${quoted(column)}))
      from tidewatch.${quoted(table)} having max(${quoted(column)}) is not null`);
  }
}
