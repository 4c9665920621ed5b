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
  /** Something failed on our side while a tool read. */
  onFault(error: unknown): void;
}

/** What a run has come to so far, also when it fails afterwards. */
export interface Progress {
  /** `at` in ms since the epoch */
  readonly reads: (ToolRead & { readonly at: number })[];
  toolCalls: number;
}

/** Asks until the model answers, reading for it what it asks for. Throws where there is no answer; see `failureOf`. */
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
    // The last call must answer: tools stay declared, since some servers insist where they were used before.
    prepareStep: () => (meter.isLastCall() ? { toolChoice: 'none' as const } : {}),
    stopWhen: isStepCount(parts.limits.calls),
    onStepEnd: ({ toolCalls }) => {
      progress.toolCalls += toolCalls.length;
    },
    maxOutputTokens: parts.limits.answerTokens,
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // A model may answer with a file by address, which would be fetched from there.
    experimental_download: fetchNone,
  });
  return (await Promise.race([result, rejectedBy(signal)])).output;
}

async function fetchNone(files: readonly unknown[]): Promise<[]> {
  if (files.length > 0) throw new TypeError('the files of a model are not fetched');
  return [];
}

/** The pieces that tools read, each once. */
export function readEvidence(progress: Progress): readonly ReadEvidence[] {
  return [...new Map(progress.reads.map(({ evidence }) => [evidence.id, evidence])).values()];
}

/** Rejects when the signal does, whatever a library is doing then. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
