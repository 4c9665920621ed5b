import { appendFileSync, readFileSync } from 'node:fs';

/** A line in the report of the real parts that a run used. */
export interface PartLine {
  /** The name of the part in `[needs …]`. */
  name: string;
  state: 'given' | 'started' | 'lacked';
  detail: string;
}

/** The environment variable with the file to which the setups of a run report their parts. */
export const REPORT_VARIABLE = 'TIDEWATCH_TEST_PARTS_FILE';

export function recordPart({ name, state, detail }: PartLine): void {
  const file = process.env[REPORT_VARIABLE];
  if (file) appendFileSync(file, `${JSON.stringify({ name, state, detail })}\n`);
}

/** Reads the parts that the setups of a run reported; a part that several projects opened occurs once. */
export function readPartReport(file: string): PartLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return [...new Set(lines)].map((line) => JSON.parse(line));
}
