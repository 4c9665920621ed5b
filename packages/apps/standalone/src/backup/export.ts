import type { Sql, Transaction } from '@tidewatch/database/connection';
import { isEarlierSchema, readApplied } from '@tidewatch/store/schema/history';
import { type BackupHeader, EARLIER_FORMAT, END_OF_ROWS, endOfBackup, FORMAT, quoted } from './format.ts';

const LINE_FEED = 0x0a;

/**
 * Yields the text of a backup in pieces, as of one moment, also while the product runs. `adminSql` must be able to read
 * everything; `now` in ms since the epoch.
 */
export async function exportAll(
  adminSql: Sql,
  now: number,
  write: (piece: string | Uint8Array) => Promise<void>,
): Promise<BackupHeader> {
  const result = await adminSql.begin('isolation level repeatable read read only', async (tx) => {
    const header = await readHeader(tx, now);
    await write(`${JSON.stringify(header)}\n`);
    let count = 0;
    for (const { name, columns } of header.tables) {
      await write(`${JSON.stringify({ table: name })}\n`);
      const list = columns.map(quoted).join(', ');
      const rows = await tx
        .unsafe(`copy (select ${list} from tidewatch.${quoted(name)}) to stdout`)
        .readable();
      for await (const piece of rows as AsyncIterable<Uint8Array>) {
        count += linesIn(piece);
        await write(piece);
      }
      await write(`${END_OF_ROWS}\n`);
    }
    await write(`${endOfBackup(count)}\n`);
    return header;
  });
  return result as BackupHeader;
}

/** Counts rows by line feeds, because those in values are escaped in COPY's text format. */
function linesIn(piece: Uint8Array): number {
  let count = 0;
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

async function readHeader(tx: Transaction, now: number): Promise<BackupHeader> {
  const tables = await tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = 'tidewatch' and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`;
  const partitions = await tx<{ parent: string; from: number; to: number }[]>`
    select p.relname as parent, bounds[1]::timestamptz as "from", bounds[2]::timestamptz as "to"
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
    join pg_namespace n on n.oid = p.relnamespace and n.nspname = 'tidewatch',
    regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') as bounds
    order by 1, 2`;
  const applied = await readApplied(tx);
  return {
    tidewatch_backup: isEarlierSchema(applied) ? EARLIER_FORMAT : FORMAT,
    schema: applied.at(-1)?.version ?? 0,
    created_at: new Date(now).toISOString(),
    partitions: partitions.map(({ parent, from, to }) => [parent, from, to]),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  };
}
