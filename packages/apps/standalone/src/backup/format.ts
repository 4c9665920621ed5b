import { z } from 'zod';

/**
 * The version of the format of backups, which are gzipped lines: the header; for each table a line `{"table": …}`, its rows
 * in PostgreSQL's COPY text format and a line `\.`; finally `{"end": true, "rows": N}` with the number of all rows. It is
 * independent of the version of PostgreSQL.
 */
export const FORMAT = 2;
/** The format version of backups with the schema from before the baseline. */
export const EARLIER_FORMAT = 1;

export const headerSchema = z.object({
  tidewatch_backup: z.union([z.literal(FORMAT), z.literal(EARLIER_FORMAT)]),
  /** The version of the schema of the rows. */
  schema: z.number().int().positive(),
  created_at: z.string(),
  /** The partitions: parent table and bounds, ms since the epoch. */
  partitions: z.array(z.tuple([z.string(), z.number(), z.number()])),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

export type BackupHeader = z.infer<typeof headerSchema>;

export const END_OF_ROWS = '\\.';

/** The last line of a backup; `rows` is the number of all rows. */
export const endOfBackup = (rows: number) => JSON.stringify({ end: true, rows });

const lineSchema = z.union([
  z.object({ table: z.string() }),
  z.object({ end: z.literal(true), rows: z.number().int().nonnegative().optional() }),
]);

/** Parses a line outside of the rows of a table: the heading of a table, or the end; null for other lines. */
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
