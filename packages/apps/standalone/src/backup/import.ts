import type { Sql, Transaction } from '@tidewatch/database/connection';
import { copyInto } from '@tidewatch/database/copy/copy';
import { PACKED_SPANS } from '@tidewatch/store/sample-days/packed-partitions';
import { presentTable } from './earlier-names.ts';
import { type BackupHeader, END_OF_ROWS, quoted, readLine } from './format.ts';

/** The file is not a complete backup, or its data cannot be restored into this database. */
export class ImportRefusedError extends Error {}

/** The size of the data that one COPY statement sends, bytes. */
const CHUNK = 4 * 2 ** 20;

/** The relations whose partitions have bounds of whole days and are created by a function of their own. */
const PACKED: ReadonlySet<string> = new Set([...Object.keys(PACKED_SPANS), 'snapshot_chunks']);

/**
 * Restores the rows of a backup into a database with the header's schema and no data, all or none; returns their number.
 * `lines` begins after the header.
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
    await refuseOtherTables(tx, header);
    // Disables triggers, because the backup contains the counters that they would update.
    await tx.unsafe('set local session_replication_role = replica');
    await tx.unsafe('set local statement_timeout = 0');
    await tx.unsafe(`truncate ${header.tables.map(({ name }) => `tidewatch.${quoted(name)}`).join(', ')}`);
    for (const [parent, from, to] of header.partitions) {
      if (PACKED.has(parent))
        await tx`select tidewatch.ensure_packed_partition(${parent}, ${from}::timestamptz, ${to}::timestamptz)`;
      else await tx`select tidewatch.ensure_partition(${parent}, ${from}::timestamptz, ${to}::timestamptz)`;
    }
    const rows = await copyTables(tx, header, lines);
    await advanceIdentities(tx);
    await advanceLog(tx);
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
  const missing = new Set(header.tables.map(({ name }) => name));
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
    } else {
      const next = readLine(line);
      if (next === null)
        throw new ImportRefusedError(
          'The file is damaged: a line is neither a row nor the heading of a table.',
        );
      if ('end' in next) {
        refuseIncomplete(missing, rows, next.rows);
        return rows;
      }
      const table = presentTable(header, next.table);
      if (!missing.delete(table)) {
        throw new ImportRefusedError(
          `The file has the table ${next.table}, which its header does not name, or has it twice.`,
        );
      }
      statement = copyStatement(header, table);
    }
  }
  throw new ImportRefusedError('The file ends too early: it is not a whole backup.');
}

/**
 * Checks that the file contains every table of its header, and as many rows as it had when it was written (`counted`, if
 * known).
 */
function refuseIncomplete(missing: ReadonlySet<string>, rows: number, counted: number | undefined): void {
  if (missing.size > 0) {
    throw new ImportRefusedError(
      `The file lacks tables that its header names: ${[...missing].join(', ')}. It is not a whole backup.`,
    );
  }
  if (counted !== undefined && counted !== rows) {
    throw new ImportRefusedError(
      `The file has ${rows} rows, and had ${counted} when it was written. It is not a whole backup.`,
    );
  }
}

/** Checks that the header names each table of its schema once. */
async function refuseOtherTables(tx: Transaction, header: BackupHeader): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tidewatch' and c.relkind in ('r', 'p') and not c.relispartition`;
  const named = header.tables.map(({ name }) => name);
  const known = new Set(tables.map(({ name }) => name));
  const lacking = [...known].filter((name) => !named.includes(name));
  const foreign = named.filter((name, index) => !known.has(name) || named.indexOf(name) !== index);
  if (lacking.length === 0 && foreign.length === 0) return;
  throw new ImportRefusedError(
    `The file's header does not name the tables of schema ${header.schema}: ` +
      `${lacking.length > 0 ? `without ${lacking.join(', ')}` : `unknown or twice ${foreign.join(', ')}`}. It is not a whole backup.`,
  );
}

function copyStatement(header: BackupHeader, name: string): string {
  const columns = header.tables.find((each) => each.name === name)?.columns ?? [];
  return `copy tidewatch.${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`;
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

/**
 * Advances the numbers of the log beyond every restored one: of equal times the later number counts, and a bucket never
 * seals a number again. Schemas before the log have none of these columns.
 */
async function advanceLog(tx: Transaction): Promise<void> {
  const columns = await tx<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'tidewatch' and (table_name, column_name) in
      (('sample_log', 'seq'), ('sample_buckets', 'sealed_to'), ('snapshot_log', 'seq'), ('snapshot_chunks', 'seq'))`;
  for (const { table, column } of columns) {
    await tx.unsafe(`select setval('tidewatch.sample_log_seq',
        greatest(max(${quoted(column)}), (select last_value from tidewatch.sample_log_seq)))
      from tidewatch.${quoted(table)} having max(${quoted(column)}) is not null`);
  }
}
