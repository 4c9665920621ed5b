import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

export interface ModelMetrics {
  explained(outcome: 'used' | 'skipped' | 'failed', seconds: number): void;
  took(calls: number, inputTokens: number, outputTokens: number): void;
  dropped(claims: number): void;
}

const SECONDS = [0.5, 1, 2, 5, 10, 20, 40, 60, 90, 150];

/** The metrics of model calls. */
export function modelMetrics(metrics: Metrics): ModelMetrics {
  const explained = metrics.histogram(
    'tidewatch_model_explanation_seconds',
    'Duration of explanations by a model, by outcome: used, skipped, failed.',
    ['outcome'],
    SECONDS,
  );
  const calls = metrics.counter('tidewatch_model_calls_total', 'Calls of models, including retries.');
  const tokens = metrics.counter(
    'tidewatch_model_tokens_total',
    'Tokens that models read (input) and wrote (output); the reserved number if the server does not report it.',
    ['direction'],
  );
  const dropped = metrics.counter(
    'tidewatch_model_claims_dropped_total',
    'Claims of models that were dropped because their evidence does not support them.',
  );
  return {
    explained: (outcome, seconds) => explained.observe({ outcome }, seconds),
    took(made, inputTokens, outputTokens) {
      calls.inc(made);
      tokens.inc({ direction: 'input' }, inputTokens);
      tokens.inc({ direction: 'output' }, outputTokens);
    },
    dropped: (claims) => dropped.inc(claims),
  };
}
