import { z } from 'zod';

/**
 * A backup is gzip of lines: the header, then for each table a line `{"table": …}`, its rows in PostgreSQL's COPY text
 * format and a line `\.`, at last `{"end": true, "rows": N}` with the number of all rows (older backups lack it). It depends on no version of PostgreSQL.
 */
export const FORMAT = 2;
/** The format of backups whose schema is counted from before the baseline, with other names of tables and columns. */
export const EARLIER_FORMAT = 1;

export const headerSchema = z.object({
  tidewatch_backup: z.union([z.literal(FORMAT), z.literal(EARLIER_FORMAT)]),
  /** Version of the schema that the rows belong to. */
  schema: z.number().int().positive(),
  created_at: z.string(),
  /** Parent table and bounds in milliseconds since the epoch. */
  partitions: z.array(z.tuple([z.string(), z.number(), z.number()])),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

export type BackupHeader = z.infer<typeof headerSchema>;

export const END_OF_ROWS = '\\.';

/** The last line; `rows` counts all rows. */
export const endOfBackup = (rows: number) => JSON.stringify({ end: true, rows });

const lineSchema = z.union([
  z.object({ table: z.string() }),
  z.object({ end: z.literal(true), rows: z.number().int().nonnegative().optional() }),
]);

/** A line outside of a table's rows: the beginning of a table, or the end; null where it is neither. */
export function readLine(line: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
