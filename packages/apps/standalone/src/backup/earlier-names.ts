import { LAST_EARLIER_SCHEMA } from '@tidewatch/store/schema/history';
import { type BackupHeader, EARLIER_FORMAT } from './format.ts';

/** The schema version with the same tables and columns as the last schema before the baseline, under other names. */
const BASELINE = 1;

const TABLES: Readonly<Record<string, string>> = {
  alert_tellings: 'alert_notices',
  store_edition: 'storage_backend',
};

const COLUMNS: Readonly<Record<string, string>> = {
  org_id: 'organization_id',
  told_at: 'notified_at',
  judged_at: 'evaluated_at',
  told: 'sent_at_once',
};

/** The present name of a table in a backup. */
export function presentTable(header: BackupHeader, name: string): string {
  return header.tidewatch_backup === EARLIER_FORMAT ? (TABLES[name] ?? name) : name;
}

/**
 * The header of a backup with the present names of tables and columns. Throws RangeError for an earlier schema that is not
 * the last one.
 */
export function withPresentNames(header: BackupHeader): BackupHeader {
  if (header.tidewatch_backup !== EARLIER_FORMAT) return header;
  if (header.schema !== LAST_EARLIER_SCHEMA) {
    throw new RangeError(
      `The backup has the earlier schema ${header.schema}; of the earlier schemas this copy of Tidewatch reads ${LAST_EARLIER_SCHEMA} alone. ` +
        'Restore it with the last copy of before, start that once, and back up again.',
    );
  }
  const tables = header.tables.map(({ name, columns }) => ({
    name: presentTable(header, name),
    columns: columns.map((column) => COLUMNS[column] ?? column),
  }));
  return { ...header, schema: BASELINE, tables };
}
