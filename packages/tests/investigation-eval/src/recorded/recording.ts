import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import * as z from 'zod';

const Time = z.iso.datetime().transform((text) => Date.parse(text));
const CaseSchema = z.object({
  id: z.string(),
  scenario: z.string(),
  file: z.string(),
  incident: z.object({ from: Time, to: Time }),
  kind: z.string(),
  application: z.string().optional(),
  alert: z.object({ host: z.string(), metric: z.string().nullable(), at: Time }),
  history: z.object({ segments: z.array(z.object({ from: Time, to: Time, shift_days: z.number() })) }),
  root_causes: z.array(z.object({ host: z.string(), metric: z.string().nullable() })),
});
const CasesSchema = z.object({
  scenarios: z.record(z.string(), z.object({ normal: z.string() })),
  cases: z.array(CaseSchema),
});
const PayloadSchema = z.object({
  host: z.string(),
  timestamp: Time,
  metrics: z.record(z.string(), z.number()),
  tags: z.record(z.string(), z.string()).default({}),
});

export type RecordedCase = z.output<typeof CaseSchema>;
export type Payload = z.output<typeof PayloadSchema>;

/** A recorded set of incidents and healthy windows with the samples before them (see docs/investigations-fleet.md). */
export class Recording {
  readonly cases: readonly RecordedCase[];
  readonly #directory: string;
  readonly #normal: Readonly<Record<string, { normal: string }>>;
  readonly #files = new Map<string, readonly Payload[]>();

  private constructor(directory: string) {
    const { cases, scenarios } = CasesSchema.parse(
      JSON.parse(readFileSync(join(directory, 'cases.json'), 'utf8')),
    );
    this.#directory = directory;
    this.#normal = scenarios;
    this.cases = cases;
  }

  /**
   * Opens the recording.
   * @returns null if it is not available
   */
  static open(directory: string): Recording | null {
    return existsSync(join(directory, 'cases.json')) ? new Recording(directory) : null;
  }

  /** The samples of a case: those before the incident at their own times of day, and the incident. */
  payloads(one: RecordedCase): Payload[] {
    const normal = this.#read(this.#normal[one.scenario]?.normal ?? '');
    const history = one.history.segments.flatMap(({ from, to, shift_days }) =>
      normal
        .filter(({ timestamp }) => timestamp >= from && timestamp <= to)
        .map((payload) => ({ ...payload, timestamp: payload.timestamp + shift_days * DAY_MS })),
    );
    return [...history, ...this.#read(one.file)].sort((a, b) => a.timestamp - b.timestamp);
  }

  #read(file: string): readonly Payload[] {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const lines = gunzipSync(readFileSync(join(this.#directory, file)))
      .toString()
      .trimEnd()
      .split('\n');
    const payloads = lines.map((line) => PayloadSchema.parse(JSON.parse(line)));
    this.#files.set(file, payloads);
    return payloads;
  }
}
