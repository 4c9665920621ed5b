import { appendFileSync, readFileSync } from 'node:fs';

/** A line of a run's report of its real parts. */
export interface PartLine {
  /** The name that stands in `[needs …]`. */
  name: string;
  state: 'given' | 'started' | 'lacked';
  detail: string;
}

/** Names the file to which the setups of a run report their parts; without it they report none. */
export const REPORT_VARIABLE = 'TIDEWATCH_TEST_PARTS_FILE';

export function recordPart({ name, state, detail }: PartLine): void {
  const file = process.env[REPORT_VARIABLE];
  if (file) appendFileSync(file, `${JSON.stringify({ name, state, detail })}\n`);
}

/** The parts that the setups of a run reported; one that was opened for several projects appears once. */
export function readPartReport(file: string): PartLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return [...new Set(lines)].map((line) => JSON.parse(line));
}
