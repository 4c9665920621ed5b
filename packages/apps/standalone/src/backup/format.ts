import { z } from 'zod';

/**
 * A backup is gzip of lines: the header, then for each table a line `{"table": …}`, its rows in PostgreSQL's COPY text
 * format and a line `\.`, at last `{"end": true}`. It depends on no version of PostgreSQL.
 */
export const FORMAT = 1;

export const headerSchema = z.object({
  tidewatch_backup: z.literal(FORMAT),
  /** Version of the schema that the rows belong to. */
  schema: z.number().int().positive(),
  created_at: z.string(),
  /** Parent table and bounds in milliseconds since the epoch. */
  partitions: z.array(z.tuple([z.string(), z.number(), z.number()])),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

export type BackupHeader = z.infer<typeof headerSchema>;

export const END_OF_ROWS = '\\.';
export const END_OF_BACKUP = '{"end":true}';

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
