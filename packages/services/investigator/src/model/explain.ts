import type { Analysis, TimelineEntry, Usage } from '@tidewatch/contracts/investigations/analysis';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type CheckedAnswer, checkAnswer } from './answer/check-answer.ts';
import { compose } from './answer/compose.ts';
import { askModel, type Progress, readEvidence } from './ask-model.ts';
import type { ModelMetrics } from './model-metrics.ts';
import type { ModelSettings } from './model-settings.ts';
import type { Case } from './prompt/case.ts';
import type { Breaker } from './provider/breaker.ts';
import { CallRefused, failureOf } from './provider/failure.ts';
import type { Model } from './provider/language-model.ts';
import { meteredModel } from './provider/metered-model.ts';
import type { SpendLedger } from './spend/spend.ts';
import type { EvidenceReader } from './tools/evidence-reader.ts';
import type { ReadEvidence } from './tools/frozen-evidence.ts';

/** The model is not called if less time than this is left, ms. */
const MIN_TIME_MS = 1_000;

export interface ExplainInput {
  readonly case: Case;
  /** The analysis by the statistics alone. */
  readonly statistics: Analysis;
  /** When the explanation must be complete, ms since the epoch. */
  readonly deadline: number;
}

export interface ExplainParts {
  readonly settings: ModelSettings;
  readonly model: Model;
  /** Reads data of the investigated organization only. */
  readonly reader: EvidenceReader;
  /** The spend ledger for this organization and severity. */
  readonly ledger: SpendLedger;
  readonly breaker: Breaker;
  /** Aborts when the investigation is cancelled or its worker stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly metrics: ModelMetrics;
  clock(): number;
  newId(prefix: 'evd'): string;
}

export interface Explanation {
  readonly analysis: Analysis;
  /** The tool calls of the model, to be merged into the timeline by time. */
  readonly timeline: readonly TimelineEntry[];
  /** The evidence that the model's tools read, to be stored with the other evidence. */
  readonly evidence: readonly ReadEvidence[];
  /** The use of the model; `seconds` counts only the time of the model. */
  readonly usage: Usage;
  /** The kept and dropped claims, for replays of prompts; not part of the record. Null without an answer. */
  readonly checkedAnswer: CheckedAnswer | null;
}

type Outcome =
  | { status: 'used'; checkedAnswer: CheckedAnswer }
  | { status: 'skipped' | 'failed'; reason: string };

/**
 * Lets the model explain the findings of the statistics. Never throws: without a usable answer the texts of the
 * statistics stay, and `model_reason` says why.
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
    ledger: parts.ledger,
    signal,
    remainingMs: () => until - clock(),
    onLedgerError: (error) =>
      logger.error(
        { err: error },
        'could not reserve or record the cost of a call of the language model; what was reserved counts',
      ),
  });

  async function ask(): Promise<Outcome> {
    if (until - began < MIN_TIME_MS)
      return { status: 'skipped', reason: 'no time was left to call the model' };
    if (parts.breaker.isOpen())
      return {
        status: 'skipped',
        reason: 'the model failed several times in a row and is not called for a minute',
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
          onFault: (error) =>
            logger.error({ err: error }, 'could not read the data for a tool call of the language model'),
        },
        progress,
      );
      parts.breaker.answered();
      const evidence = [...input.case.evidence, ...readEvidence(progress)];
      return { status: 'used', checkedAnswer: checkAnswer(answer, input.case, evidence) };
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
    // Not logged in full: the error may contain the prompt, the key and text of the server.
    if (known === undefined)
      logger.error({ error: nameOf(error) }, 'a call of the language model failed unexpectedly');
    return known ?? 'the call of the model failed unexpectedly';
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
    checkedAnswer: outcome.status === 'used' ? outcome.checkedAnswer : null,
  };
  const { model_status: status, model_reason: reason, claims_dropped: dropped } = explanation.analysis;
  parts.metrics.dropped(dropped);
  logger.info(
    { status, reason, dropped, usage: explanation.usage },
    'the explanation of an investigation by the language model is over; status says whether it is used',
  );
  return explanation;
}

function analysisOf(outcome: Outcome, { statistics }: ExplainInput, settings: ModelSettings): Analysis {
  const ofStatistics: Analysis = { ...statistics, model_status: outcome.status };
  if (outcome.status !== 'used') return { ...ofStatistics, model_reason: outcome.reason };
  const dropped = outcome.checkedAnswer.dropped.length;
  const words = compose(outcome.checkedAnswer, statistics);
  if (words === null) {
    const reason =
      dropped === 0
        ? 'the answer of the model contains no claims'
        : 'the evidence supports none of the claims of the model';
    return { ...ofStatistics, model_reason: reason, claims_dropped: dropped };
  }
  return { ...ofStatistics, ...words, source: 'llm', model: settings.model, claims_dropped: dropped };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
