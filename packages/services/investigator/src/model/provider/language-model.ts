import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractJsonMiddleware, type LanguageModel, wrapLanguageModel } from 'ai';
import type { ModelSettings } from '../model-settings.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** A model as an object; the library would look up a model given by name at a gateway. */
export type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' };

/** Servers that require `max_completion_tokens` instead of the older `max_tokens`. */
const NEWER_NAME = /^api\.openai\.com$|\.openai\.azure\.com$/;

/**
 * Opens the configured model. Address and key are always set, even to '', so that the libraries do not read environment
 * variables.
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
  // Removes the Markdown code fence that small local models put around their JSON.
  return wrapLanguageModel({ model: opened, middleware: extractJsonMiddleware() });
}

function withNewerName({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}
