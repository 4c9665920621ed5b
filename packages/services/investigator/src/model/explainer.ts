import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { ExplainInput, Explanation } from './explain.ts';
import { modelMetrics } from './model-metrics.ts';
import type { ModelSettings } from './model-settings.ts';
import { createBreaker } from './provider/breaker.ts';
import { type SpendOfStore, spendOfStore } from './spend/spend.ts';
import type { EvidenceReader } from './tools/evidence-reader.ts';

export interface ExplainerParts extends Omit<SpendOfStore, 'budget'> {
  readonly settings: ModelSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  newId(prefix: 'evd'): string;
}

/** The inputs of one investigation. */
export interface ExplainRun {
  readonly organizationId: string;
  /** Reads data of the investigated organization only. */
  readonly reader: EvidenceReader;
  readonly signal: AbortSignal;
}

export type Explainer = (input: ExplainInput, run: ExplainRun) => Promise<Explanation>;

/**
 * Opens the explainer with the configured model. Only this imports the libraries for models, so that a process without a
 * model does not load them.
 */
export async function openExplainer(parts: ExplainerParts): Promise<Explainer> {
  const { settings, logger, clock, newId } = parts;
  const [{ explain }, { openModel }] = await Promise.all([
    import('./explain.ts'),
    import('./provider/language-model.ts'),
  ]);
  const model = openModel(settings);
  const breaker = createBreaker(clock);
  const metrics = modelMetrics(parts.metrics);
  return (input, { organizationId, reader, signal }) => {
    const ledger = spendOfStore({ ...parts, budget: settings.budget }, organizationId, input.case.severity);
    return explain(input, {
      settings,
      model,
      breaker,
      metrics,
      logger,
      clock,
      newId,
      ledger,
      reader,
      signal,
    });
  };
}
