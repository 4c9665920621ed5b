import { z } from 'zod';

export const EXPORT_FORMATS = ['json', 'csv', 'ndjson'] as const;

/** The format of a response: a page as JSON, or everything as lines. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The media types of the formats, for the header `Accept`. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** The parameter `format` of lists that can be exported; it takes precedence over `Accept`. */
export const formatQuery = z.enum(EXPORT_FORMATS).optional().meta({
  description:
    '`csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe.',
});

/** The content of exports, in each format. */
export const EXPORT_CONTENT = [
  { type: EXPORT_TYPES.csv, schema: null },
  { type: EXPORT_TYPES.ndjson, schema: null },
];
