import { newId } from '@tidewatch/contracts/values/id';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { type ExplainInput, type ExplainParts, type Explanation, explain } from './explain.ts';
import { modelMetrics } from './model-metrics.ts';
import type { ModelSettings } from './model-settings.ts';
import { createBreaker } from './provider/breaker.ts';
import { openModel } from './provider/language-model.ts';
import { NOTHING_SPENT, plus, type Spend } from './spend/budget.ts';
import type { SpendBook } from './spend/spend.ts';
import { exampleCase, STATISTICS } from './testing/example-case.ts';
import type { EvidenceReader } from './tools/evidence-reader.ts';

export const KEY = 'sk-secret-of-the-operator';

export function settingsFor(baseUrl: string, otherwise: Partial<ModelSettings> = {}): ModelSettings {
  const unlimited = { calls: 1_000, tokens: 10_000_000, costMicros: null };
  return {
    provider: 'openai-compatible',
    baseUrl,
    model: 'scripted',
    apiKey: KEY,
    prices: null,
    run: { calls: 4, tokens: 200_000, seconds: 20, answerTokens: 1_000 },
    budget: { hour: unlimited, day: unlimited, reserve: 0.25 },
    ...otherwise,
  };
}

/** A book without limits that remembers. */
export function openBook(): SpendBook & { spent(): Spend } {
  let spent = NOTHING_SPENT;
  return {
    spent: () => spent,
    async reserve(wanted) {
      return {
        async settle(took) {
          spent = plus(spent, took ?? wanted);
        },
      };
    },
  };
}

/** Knows nothing. */
export const EMPTY_READER: EvidenceReader = {
  series: async () => null,
  processes: async () => null,
  alerts: async () => null,
  hosts: async () => null,
};

export interface ExplainHarness {
  metrics: Metrics;
  run(input?: Partial<ExplainInput>, parts?: Partial<ExplainParts>): Promise<Explanation>;
}

/** Explains the example by a model that is asked over HTTP. */
export function explainHarness(baseUrl: string): ExplainHarness {
  const metrics = createMetrics();
  return {
    metrics,
    run(input = {}, parts = {}) {
      const settings = parts.settings ?? settingsFor(baseUrl);
      return explain(
        { case: exampleCase(), statistics: STATISTICS, deadline: Date.now() + 60_000, ...input },
        {
          settings,
          model: openModel(settings),
          reader: EMPTY_READER,
          book: openBook(),
          breaker: createBreaker(Date.now),
          signal: new AbortController().signal,
          logger: createSilentLogger(),
          metrics: modelMetrics(metrics),
          clock: Date.now,
          newId,
          ...parts,
        },
      );
    },
  };
}
