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

/** What differs from one investigation to the next. */
export interface ExplainRun {
  readonly organizationId: string;
  /** Bound to the organization. */
  readonly reader: EvidenceReader;
  readonly signal: AbortSignal;
}

export type Explainer = (input: ExplainInput, run: ExplainRun) => Promise<Explanation>;

/**
 * Explains investigations by the model of the settings. The libraries that speak to models are loaded here and nowhere
 * else, so a process without such settings does not even have them in memory.
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
    const book = spendOfStore({ ...parts, budget: settings.budget }, organizationId, input.case.severity);
    return explain(input, { settings, model, breaker, metrics, logger, clock, newId, book, reader, signal });
  };
}
