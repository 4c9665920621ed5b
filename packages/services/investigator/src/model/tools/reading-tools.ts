import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { parseTimestamp } from '@tidewatch/contracts/time/time';
import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';
import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';
import { shownEvidence } from '@tidewatch/domain/prompt-text/shown-evidence';
import { tool } from 'ai';
import { z } from 'zod';
import type { Case } from '../prompt/case.ts';
import type { EvidenceReader } from './evidence-reader.ts';
import type { FrozenEvidence, ReadEvidence } from './frozen-evidence.ts';
import { questionKey } from './question-key.ts';

/** A tool call of the model that returned data. */
export interface ToolRead {
  /** A title in the words of Tidewatch, without text of the model. */
  readonly title: string;
  readonly evidence: ReadEvidence;
}

export interface ToolParts {
  readonly reader: EvidenceReader;
  readonly frozen: FrozenEvidence;
  readonly case: Case;
  readonly signal: AbortSignal;
  onRead(read: ToolRead): void;
  /** Called when data could not be read because of an internal error. */
  onFault(error: unknown): void;
}

/** How far before the window a model may read, ms; includes the same hour a week earlier. */
const MAX_LOOKBACK_MS = 8 * DAY_MS;
const MAX_WINDOW_MS = 26 * HOUR_MS;
const MAX_POINTS = 40;
const MAX_HOSTS = 50;

const name = z.string().min(1).max(255);
const partName = z
  .string()
  .min(3)
  .max(PART_BOUNDS.kind + 1 + PART_BOUNDS.name);
const time = z
  .string()
  .describe('RFC 3339 in UTC, such as 2026-01-31T14:00:00Z')
  .transform((text, context) => {
    const at = parseTimestamp(text);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: 'must be a time such as 2026-01-31T14:00:00Z' });
    return z.NEVER;
  });

/**
 * The tools of a model: five queries of data of one organization. A failed query is reported to the model and does not end
 * the run. Data after the window cannot be read, so that results do not depend on the time of the run.
 */
export function readingTools(parts: ToolParts) {
  const { reader, frozen, signal } = parts;
  const [start, end] = [Date.parse(parts.case.from) - MAX_LOOKBACK_MS, Date.parse(parts.case.to)];

  /** Why a window is not allowed; null if it is allowed. */
  function windowFault(from: number, to: number): string | null {
    if (from >= to) return '"from" must be before "to"';
    if (to - from > MAX_WINDOW_MS) return 'the window may be 26 hours wide at most';
    if (from < start || to > end)
      return `the window must lie within ${new Date(start).toISOString()} and ${new Date(end).toISOString()}`;
    return null;
  }

  async function answer(
    { tool: name, title, question }: { tool: string; title: string; question: object },
    refused: string | null,
    read: () => Promise<EvidenceDraft | null>,
  ): Promise<string> {
    if (refused !== null) return inertJson({ error: refused });
    if (!frozen.hasRoom())
      return inertJson({ error: 'no further data can be read; answer with what you have' });
    try {
      signal.throwIfAborted();
      const draft = await read();
      if (draft === null) return inertJson({ error: 'there is nothing with this name in this time range' });
      const evidence = frozen.freeze(draft, questionKey(name, question));
      parts.onRead({ title, evidence });
      return inertJson({ data: shownEvidence(evidence, MAX_POINTS) });
    } catch (error) {
      if (!signal.aborted) parts.onFault(error);
      return inertJson({ error: 'the data could not be read' });
    }
  }

  return {
    read_series: tool({
      description:
        'One metric of a host, or of one of its containers or parts, over a window of at most 26 hours.',
      inputSchema: z.strictObject({
        host: name,
        metric: name,
        container: name.nullable().describe('null for the host itself and for its parts'),
        part: partName
          .nullable()
          .describe(
            'kind and name of a part, such as filesystem:/var; null for the host itself and for containers',
          ),
        from: time,
        to: time,
      }),
      execute: ({ part, ...others }) => {
        // Questions without a part keep the key that stored evidence has.
        const question = part === null ? others : { ...others, part };
        const isOfBoth = part !== null && others.container !== null;
        return answer(
          { tool: 'read_series', title: 'A model asked for a metric', question },
          isOfBoth ? '"container" or "part" must be null' : windowFault(question.from, question.to),
          () => reader.series(question, signal),
        );
      },
    }),
    read_processes: tool({
      description: 'The processes and containers of a host at a time, with what they used.',
      inputSchema: z.strictObject({ host: name, at: time }),
      execute: (question) =>
        answer(
          { tool: 'read_processes', title: 'A model asked for processes', question },
          windowFault(question.at - 1, question.at),
          () => reader.processes(question, signal),
        ),
    }),
    read_parts: tool({
      description:
        'The parts of a host at a time, such as its filesystems, disks and units, with the values of their metrics.',
      inputSchema: z.strictObject({
        host: name,
        kind: z
          .string()
          .min(1)
          .max(PART_BOUNDS.kind)
          .nullable()
          .describe('only parts of this kind, such as filesystem; null for any'),
        at: time,
      }),
      execute: (question) =>
        answer(
          { tool: 'read_parts', title: 'A model asked for parts', question },
          windowFault(question.at - 1, question.at),
          () => reader.parts(question, signal),
        ),
    }),
    read_alerts: tool({
      description: 'The alerts of a host that were active in a window of at most 26 hours.',
      inputSchema: z.strictObject({ host: name, from: time, to: time }),
      execute: (question) =>
        answer(
          { tool: 'read_alerts', title: 'A model asked for alerts', question },
          windowFault(question.from, question.to),
          () => reader.alerts(question, signal),
        ),
    }),
    find_hosts: tool({
      description: 'Hosts by name and tags, with their tags and states.',
      inputSchema: z.strictObject({
        host: name.nullable().describe('a name, in which * stands for any characters; null for any'),
        tags: z.array(z.strictObject({ key: z.string().max(128), value: z.string().max(256) })).max(8),
      }),
      execute: ({ host, tags }) => {
        const question = {
          host,
          tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
          limit: MAX_HOSTS,
        };
        return answer({ tool: 'find_hosts', title: 'A model looked for hosts', question }, null, async () => {
          const found = await reader.hosts(question, signal);
          // Stores no evidence without a match, because its query would contain the pattern of the model.
          return found !== null && found.points.length > 0 ? found : null;
        });
      },
    }),
  };
}
