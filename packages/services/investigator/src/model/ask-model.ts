import { generateText, isStepCount, Output } from 'ai';
import { type Answer, answerSchema } from './answer/answer.ts';
import type { RunLimits } from './model-settings.ts';
import type { Case } from './prompt/case.ts';
import { type Prompt, promptOf } from './prompt/prompt.ts';
import type { Meter } from './provider/metered-model.ts';
import type { EvidenceReader } from './tools/evidence-reader.ts';
import { frozenEvidence, type ReadEvidence } from './tools/frozen-evidence.ts';
import { readingTools, type ToolRead } from './tools/reading-tools.ts';

export interface AskParts {
  readonly meter: Meter;
  readonly limits: RunLimits;
  readonly reader: EvidenceReader;
  readonly signal: AbortSignal;
  clock(): number;
  newId(prefix: 'evd'): string;
  /** Called when a tool could not read data because of an internal error. */
  onFault(error: unknown): void;
}

/** The tool calls of a run so far; also valid when the run fails later. */
export interface Progress {
  /** The tool calls that read data; `at` in ms since the epoch. */
  readonly reads: (ToolRead & { readonly at: number })[];
  toolCalls: number;
}

/** Calls the model until it answers, and runs the tools that it calls. Throws without an answer; see `failureOf`. */
export async function askModel(of: Case, parts: AskParts, progress: Progress): Promise<Answer> {
  const { meter, signal } = parts;
  const prompt: Prompt = promptOf(of);
  const tools = readingTools({
    reader: parts.reader,
    frozen: frozenEvidence(parts.newId),
    case: of,
    signal,
    onRead: (read) => progress.reads.push({ ...read, at: parts.clock() }),
    onFault: parts.onFault,
  });
  const result = generateText({
    model: meter.model,
    instructions: prompt.instructions,
    prompt: prompt.text,
    output: Output.object({
      schema: answerSchema(of.findings.map(({ id }) => id)),
      name: 'explanation',
    }),
    tools,
    toolCallConcurrency: 2,
    // The last call must answer, without tools. The tools stay declared, since some servers require those of earlier calls.
    prepareStep: () => (meter.isLastCall() ? { toolChoice: 'none' as const } : {}),
    stopWhen: isStepCount(parts.limits.calls),
    onStepEnd: ({ toolCalls }) => {
      progress.toolCalls += toolCalls.length;
    },
    maxOutputTokens: parts.limits.answerTokens,
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Refuses downloads, because the library would download a file that a model names by a URL.
    experimental_download: refuseDownloads,
  });
  return (await Promise.race([result, rejectedBy(signal)])).output;
}

async function refuseDownloads(files: readonly unknown[]): Promise<[]> {
  if (files.length > 0) throw new TypeError('the model answered with a file, and files are not downloaded');
  return [];
}

/** The evidence that tools have read, each piece once. */
export function readEvidence(progress: Progress): readonly ReadEvidence[] {
  return [...new Map(progress.reads.map(({ evidence }) => [evidence.id, evidence])).values()];
}

/** Rejects as soon as the signal aborts, even if the library does not react to it. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
