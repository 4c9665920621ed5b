import { parentPort } from 'node:worker_threads';
import { parseDocument } from 'yaml';

/** What a text came to: its value, or why it has none. */
export type YamlAnswer = { value: unknown } | { fault: { code: string; message: string } };

/** No object of the API is nested as deep. */
const DEEPEST = 32;
/** Values with aliases followed; a set of a thousand rules has some tens of thousands. */
const MOST_VALUES = 200_000;
/** How often aliases may lead to what they stand for. */
const MOST_ALIASES = 1_000;

const OPTIONS = { schema: 'core', resolveKnownTags: false, merge: false, logLevel: 'error' } as const;

/** The value of a YAML 1.2 text by the core schema: what JSON can say, and nothing that makes an object of a tag. */
export function parseYaml(text: string): YamlAnswer {
  const document = parseDocument(text, OPTIONS);
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const [reason = ''] = error.message.split('\n');
    return { fault: { code: 'invalid_yaml', message: `Must be YAML: ${reason.replace(/:$/, '')}.` } };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    const message = `Must have aliases that lead somewhere, and at most ${MOST_ALIASES}: ${(error as Error).message}.`;
    return { fault: { code: 'invalid_alias', message } };
  }
  return measure(value) ?? { value };
}

/** Why a value is more than is taken; it may hold one object in many places, but never itself. */
function measure(root: unknown): YamlAnswer | undefined {
  let values = 0;
  let layer: unknown[] = [root];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > DEEPEST + 1)
      return {
        fault: { code: 'too_deep', message: `Must not be nested more than ${DEEPEST} levels deep.` },
      };
    const below: unknown[] = [];
    for (const each of layer) {
      if (typeof each !== 'object' || each === null) continue;
      for (const member of Object.values(each)) below.push(member);
      if (values + below.length > MOST_VALUES)
        return { fault: { code: 'too_many', message: `Must have at most ${MOST_VALUES} values.` } };
    }
    values += below.length;
    layer = below;
  }
  return undefined;
}

parentPort?.on('message', (text: string) => parentPort?.postMessage(parseYaml(text)));
