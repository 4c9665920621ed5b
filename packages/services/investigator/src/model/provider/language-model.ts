import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractJsonMiddleware, type LanguageModel, wrapLanguageModel } from 'ai';
import type { ModelSettings } from '../model-settings.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** A model as an object: one that is named by a text would be looked for at a gateway. */
export type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' };

/** Servers that call the longest answer `max_completion_tokens` and refuse the older name. */
const NEWER_NAME = /^api\.openai\.com$|\.openai\.azure\.com$/;

/**
 * The model of the settings. Address and key are given, even where there is none, so that the libraries look into no
 * variable of the environment.
 */
export function openModel({ provider, baseUrl, model, apiKey }: ModelSettings): Model {
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch: guardedFetch }).languageModel(
      model,
    );
  const renames = NEWER_NAME.test(new URL(baseUrl).hostname);
  const opened = createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    supportsStructuredOutputs: true,
    ...(renames ? { transformRequestBody: withNewerName } : {}),
    fetch: guardedFetch,
  }).chatModel(model);
  // Small local models put their JSON into a fence of Markdown.
  return wrapLanguageModel({ model: opened, middleware: extractJsonMiddleware() });
}

function withNewerName({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}
