import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { MockLanguageModelV4 } from 'ai/test';
import { beforeAll, describe, expect, it } from 'vitest';
import { EMPTY_READER, openLedger, settingsFor } from '../testing/explain.harness.ts';
import { askModel } from './ask-model.ts';
import { meteredModel } from './provider/metered-model.ts';
import { exampleCase } from './testing/example-case.ts';
import { says, startScriptedModel } from './testing/scripted-model.ts';

const elsewhere = await openForFile(startScriptedModel());

describe('askModel', () => {
  beforeAll(async () => {
    elsewhere.does(says('fetched'));
  });

  // Neither supported API can answer with a file today, but a later release of the libraries may.
  it('downloads no file that a model answers with', async () => {
    const url = new URL(elsewhere.baseUrl);
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url } }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      }),
    });
    const { signal } = new AbortController();
    const settings = settingsFor(elsewhere.baseUrl);
    const meter = meteredModel({
      model,
      settings,
      ledger: openLedger(),
      signal,
      remainingMs: () => 10_000,
      onLedgerError: () => undefined,
    });
    const parts = { meter, limits: settings.run, reader: EMPTY_READER, signal, clock: Date.now, newId };
    const progress = { reads: [], toolCalls: 0 };
    const asked = askModel(exampleCase(), { ...parts, onFault: () => undefined }, progress);
    await expect(asked).rejects.toThrow('files are not downloaded');
    expect(elsewhere.asked).toEqual([]);
  });
});
