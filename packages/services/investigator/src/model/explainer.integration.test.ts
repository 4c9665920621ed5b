import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { EMPTY_READER, settingsFor } from '../testing/explain.harness.ts';
import { openExplainer } from './explainer.ts';
import { CAUSE, CPU, exampleCase, STATISTICS } from './testing/example-case.ts';
import { saysJson, startScriptedModel } from './testing/scripted-model.ts';

const model = await openForFile(startScriptedModel());
const metrics = await openForFile(createMetrics());
const organizationId = newId('org');
const store = await storeForFile({ as: 'product', organizations: [organizationId] });

describe('openExplainer', () => {
  it('explains within the limits in the database, and records spend and metrics', async () => {
    const summary = [{ text: 'It rose to 96.', evidence_ids: [CPU] }];
    model.does(saysJson({ most_likely_finding_id: CAUSE, summary, root_cause: [], details: [] }));
    const limit = { calls: 1, tokens: 1_000_000, costMicros: null };
    const explainer = await openExplainer({
      settings: settingsFor(model.baseUrl, { budget: { hour: limit, day: limit, reserve: 0.25 } }),
      transact: store.transact,
      clock: Date.now,
      newId,
      logger: createSilentLogger(),
      metrics,
    });
    const explain = (severity: 'critical' | 'warning') =>
      explainer(
        { case: exampleCase({ severity }), statistics: STATISTICS, deadline: Date.now() + 30_000 },
        { organizationId, reader: EMPTY_READER, signal: new AbortController().signal },
      );
    expect((await explain('warning')).analysis).toMatchObject({
      model_status: 'skipped',
      source: 'statistics',
      model_reason: expect.stringContaining('reserved for critical alerts'),
    });
    expect((await explain('critical')).analysis).toMatchObject({ model_status: 'used', source: 'llm' });
    expect((await explain('critical')).analysis.model_status).toBe('skipped');
    expect(model.asked).toHaveLength(1);
    expect(
      await store.sql`select organization_id, severity_class, calls, input_tokens, output_tokens from investigation_spend`,
    ).toEqual([
      {
        organization_id: organizationId,
        severity_class: 'critical',
        calls: 1,
        input_tokens: 100,
        output_tokens: 50,
      },
    ]);
    const text = await metrics.text();
    expect(text).toContain('tidewatch_model_calls_total 1');
    expect(text).toContain('tidewatch_model_tokens_total{direction="input"} 100');
    expect(text).toContain('tidewatch_model_explanation_seconds_count{outcome="skipped"} 2');
  });
});
