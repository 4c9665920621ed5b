import type { FieldSelection } from '@tidewatch/contracts/queries/fields';
import { type Options, stringify } from 'csv-stringify/sync';
import { z } from 'zod';

/** A column of CSV: a field, or a member of one. */
export interface Column {
  name: string;
  field: string;
  member: string | null;
}

const OPTIONS: Options = {
  record_delimiter: 'windows',
  quoted_match: /[\r\n]/,
  // Puts an apostrophe before texts that a spreadsheet would evaluate as a formula; numbers are unchanged.
  escape_formulas: true,
  cast: { boolean: (value) => `${value}`, object: (value) => JSON.stringify(value) },
};

/** The columns for objects of this shape, or for the selected fields: one for each member of a field with members. */
export function columnsOf(shape: z.ZodRawShape, selection: FieldSelection | undefined): Column[] {
  const names = selection === undefined ? Object.keys(shape) : [...selection.keys()];
  return names.flatMap((field): Column[] => {
    const chosen = selection?.get(field) ?? null;
    const known = membersOf(shape[field] as z.ZodType);
    const members = chosen !== null && isNamed(shape[field] as z.ZodType) ? [...chosen] : known;
    if (members === null) return [{ name: field, field, member: null }];
    return members.map((member) => ({ name: `${field}.${member}`, field, member }));
  });
}

/** The line that names the columns. */
export function csvHeader(columns: readonly Column[]): string {
  return stringify([columns.map(({ name }) => name)], OPTIONS);
}

/** A line for each object. */
export function csvLines(rows: readonly object[], columns: readonly Column[]): string {
  const records = rows.map((row) => columns.map((column) => cellOf(row, column)));
  return stringify(records, OPTIONS);
}

function cellOf(row: object, { field, member }: Column): unknown {
  const value = (row as Record<string, unknown>)[field];
  if (member === null || value === null || value === undefined) return value;
  return (value as Record<string, unknown>)[member];
}

/** The members of a field with fixed members; null if it has none or is a list. */
function membersOf(schema: z.ZodType): string[] | null {
  const inner = withoutNull(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : null;
}

/** Whether the schema describes an object, whose members have names. */
function isNamed(schema: z.ZodType): boolean {
  const inner = withoutNull(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord;
}

function withoutNull(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? withoutNull(schema.unwrap() as z.ZodType)
    : schema;
}
