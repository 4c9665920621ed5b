import type { Analysis, TimelineEntry, Usage } from '@tidewatch/contracts/investigations/analysis';
import { toIso } from '@tidewatch/contracts/values/time';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { compose } from './answer/compose.ts';
import { type Judged, judgeAnswer } from './answer/judge-answer.ts';
import { askModel, type Progress, readEvidence } from './ask-model.ts';
import type { ModelMetrics } from './model-metrics.ts';
import type { ModelSettings } from './model-settings.ts';
import type { Case } from './prompt/case.ts';
import type { Breaker } from './provider/breaker.ts';
import { CallRefused, failureOf } from './provider/failure.ts';
import type { Model } from './provider/language-model.ts';
import { meteredModel } from './provider/metered-model.ts';
import type { SpendBook } from './spend/spend.ts';
import type { EvidenceReader } from './tools/evidence-reader.ts';
import type { ReadEvidence } from './tools/frozen-evidence.ts';

/** Less than this is no time to ask in, ms. */
const MIN_MS = 1_000;

export interface ExplainInput {
  readonly case: Case;
  /** The analysis by the statistics alone. */
  readonly statistics: Analysis;
  /** ms since the epoch: when all of it has to be over. */
  readonly deadline: number;
}

export interface ExplainParts {
  readonly settings: ModelSettings;
  readonly model: Model;
  /** Bound to the organization. */
  readonly reader: EvidenceReader;
  /** Of the organization and severity. */
  readonly book: SpendBook;
  readonly breaker: Breaker;
  /** Aborts when the investigation is cancelled or its worker ends. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly metrics: ModelMetrics;
  clock(): number;
  newId(prefix: 'evd'): string;
}

export interface Explanation {
  readonly analysis: Analysis;
  /** What the model asked for, to be sorted into the rest by time. */
  readonly timeline: readonly TimelineEntry[];
  /** What its tools read, to be kept with the rest. */
  readonly evidence: readonly ReadEvidence[];
  /** `seconds` are those of the model alone. */
  readonly usage: Usage;
  /** What became of each claim, for whoever tries prompts; it belongs in no record. Null where there was no answer. */
  readonly judged: Judged | null;
}

type Outcome = { status: 'used'; judged: Judged } | { status: 'skipped' | 'failed'; reason: string };

/**
 * Asks the model to explain what the statistics found. Never throws: without an answer that can be used the words of the
 * statistics stay, and the analysis says why.
 */
export async function explain(input: ExplainInput, parts: ExplainParts): Promise<Explanation> {
  const { settings, clock, logger } = parts;
  const began = clock();
  const until = Math.min(input.deadline, began + settings.run.seconds * 1_000);
  const timeout = AbortSignal.timeout(Math.max(0, until - began));
  const signal = AbortSignal.any([timeout, parts.signal]);
  const progress: Progress = { reads: [], toolCalls: 0 };
  const meter = meteredModel({
    model: parts.model,
    settings,
    book: parts.book,
    signal,
    remainingMs: () => until - clock(),
    onBookFault: (error) => logger.error({ err: error }, 'what calls of models take could not be noted'),
  });

  async function ask(): Promise<Outcome> {
    if (until - began < MIN_MS) return { status: 'skipped', reason: 'no time was left to ask the model' };
    if (parts.breaker.isOpen())
      return {
        status: 'skipped',
        reason: 'the model failed several times in a row and is left alone for a minute',
      };
    try {
      const answer = await askModel(
        input.case,
        {
          meter,
          limits: settings.run,
          reader: parts.reader,
          signal,
          clock,
          newId: parts.newId,
          onFault: (error) => logger.error({ err: error }, 'what a model asked for could not be read'),
        },
        progress,
      );
      parts.breaker.answered();
      const evidence = [...input.case.evidence, ...readEvidence(progress)];
      return { status: 'used', judged: judgeAnswer(answer, input.case, evidence) };
    } catch (error) {
      const refused = error instanceof CallRefused;
      if (refused && meter.spent().calls === 0) return { status: 'skipped', reason: error.message };
      if (!refused && !parts.signal.aborted) parts.breaker.failed();
      return { status: 'failed', reason: reasonOf(error) };
    }
  }

  function reasonOf(error: unknown): string {
    if (parts.signal.aborted) return 'the investigation was stopped';
    if (timeout.aborted)
      return `the model did not answer within ${Math.round((until - began) / 1_000)} seconds`;
    const known = failureOf(error);
    // The error itself may hold the prompt, the key and whatever the server said.
    if (known === undefined) logger.error({ error: nameOf(error) }, 'a model could not be asked');
    return known ?? 'the model could not be asked';
  }

  const outcome = await ask();
  const took = meter.spent();
  const seconds = (clock() - began) / 1_000;
  parts.metrics.explained(outcome.status, seconds);
  parts.metrics.took(took.calls, took.inputTokens, took.outputTokens);
  const explanation: Explanation = {
    analysis: analysisOf(outcome, input, settings),
    timeline: progress.reads.map(({ at, title, evidence }) => ({
      at: toIso(at),
      type: 'investigation_step',
      title,
      actor: 'llm',
      evidence_ids: [evidence.id],
    })),
    evidence: readEvidence(progress),
    usage: {
      model_calls: took.calls,
      tool_calls: progress.toolCalls,
      input_tokens: took.inputTokens,
      output_tokens: took.outputTokens,
      seconds,
    },
    judged: outcome.status === 'used' ? outcome.judged : null,
  };
  const { model_status: status, model_reason: reason, claims_dropped: dropped } = explanation.analysis;
  parts.metrics.dropped(dropped);
  logger.info({ status, reason, dropped, usage: explanation.usage }, 'a model was asked to explain');
  return explanation;
}

function analysisOf(outcome: Outcome, { statistics }: ExplainInput, settings: ModelSettings): Analysis {
  const ofStatistics: Analysis = { ...statistics, model_status: outcome.status };
  if (outcome.status !== 'used') return { ...ofStatistics, model_reason: outcome.reason };
  const dropped = outcome.judged.dropped.length;
  const words = compose(outcome.judged, statistics);
  if (words === null) {
    const reason =
      dropped === 0 ? 'the model claimed nothing' : 'nothing that the model claimed is borne by the evidence';
    return { ...ofStatistics, model_reason: reason, claims_dropped: dropped };
  }
  return { ...ofStatistics, ...words, source: 'llm', model: settings.model, claims_dropped: dropped };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
