import { newId } from '@tidewatch/contracts/values/id';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { expect } from 'vitest';
import type { Claim } from '../model/answer/answer.ts';
import { type ExplainInput, type ExplainParts, type Explanation, explain } from '../model/explain.ts';
import { modelMetrics } from '../model/model-metrics.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import { createBreaker } from '../model/provider/breaker.ts';
import { openModel } from '../model/provider/language-model.ts';
import { NOTHING_SPENT, plus, type Spend } from '../model/spend/budget.ts';
import type { SpendLedger } from '../model/spend/spend.ts';
import { CAUSE, CPU, exampleCase, PEERS, STATISTICS, STRESS } from '../model/testing/example-case.ts';
import type { EvidenceReader } from '../model/tools/evidence-reader.ts';

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

/** A ledger without limits that adds up the spend. */
export function openLedger(): SpendLedger & { spent(): Spend } {
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

/** A reader that finds no data. */
export const EMPTY_READER: EvidenceReader = {
  series: async () => null,
  processes: async () => null,
  parts: async () => null,
  alerts: async () => null,
  hosts: async () => null,
};

export interface ExplainHarness {
  metrics: Metrics;
  run(input?: Partial<ExplainInput>, parts?: Partial<ExplainParts>): Promise<Explanation>;
}

/** Explains the example case by a model server at `baseUrl`. */
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
          ledger: openLedger(),
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

/** A claim of an answer that cites `ids`. */
export const claim = (text: string, ...ids: string[]): Claim => ({ text, evidence_ids: ids });

/** An answer without claims, with `fields` replaced. */
export const answer = (fields: object = {}) => ({
  most_likely_finding_id: CAUSE,
  summary: [],
  root_cause: [],
  details: [],
  ...fields,
});

/** An answer whose claims the example case supports. */
export const HONEST = answer({
  summary: [claim('cpu_percent of web-01 rose from 22 to 96 at 14:31.', CPU)],
  root_cause: [claim('The process stress took 72 % of a processor.', STRESS)],
  details: [claim('None of the 12 peers moved.', PEERS)],
});

/** Expects the texts of the statistics without any text of the model. */
export function expectStatistics(explanation: Explanation, status: 'failed' | 'skipped' | 'used'): void {
  expect(explanation.analysis).toMatchObject({
    ...STATISTICS,
    model_status: status,
    model_reason: expect.any(String),
    claims_dropped: expect.any(Number),
  });
  expect(JSON.stringify({ ...explanation, checkedAnswer: null })).not.toMatch(/CANARY|sk-secret|ffff7/);
}
