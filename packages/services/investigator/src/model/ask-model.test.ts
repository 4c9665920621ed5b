import { newId } from '@tidewatch/contracts/values/id';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askModel } from './ask-model.ts';
import { EMPTY_READER, openBook, settingsFor } from './explain.harness.ts';
import { meteredModel } from './provider/metered-model.ts';
import { exampleCase } from './testing/example-case.ts';
import { type ScriptedModel, says, startScriptedModel } from './testing/scripted-model.ts';

describe('askModel', () => {
  let elsewhere: ScriptedModel;
  beforeAll(async () => {
    elsewhere = await startScriptedModel();
    elsewhere.does(says('fetched'));
  });
  afterAll(() => elsewhere.close());

  // No server of the two forms can answer so today; a later release of the libraries may let one.
  it('fetches no file that a model answers with', async () => {
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
      book: openBook(),
      signal,
      remainingMs: () => 10_000,
      onBookFault: () => undefined,
    });
    const parts = { meter, limits: settings.run, reader: EMPTY_READER, signal, clock: Date.now, newId };
    const progress = { reads: [], toolCalls: 0 };
    const asked = askModel(exampleCase(), { ...parts, onFault: () => undefined }, progress);
    await expect(asked).rejects.toThrow('the files of a model are not fetched');
    expect(elsewhere.asked).toEqual([]);
  });
});
