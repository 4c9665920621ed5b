import { parentPort } from 'node:worker_threads';
import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import { yamlDepthFault } from './yaml-depth.ts';

export interface YamlFault {
  code: string;
  message: string;
}

/** The result of parsing a YAML text: its value, or the fault in it. */
export type YamlAnswer = { value: unknown } | { fault: YamlFault };

/** The max nesting depth of a YAML text; no object of the API is nested as deep. */
const DEEPEST = 32;
/** The max number of values after aliases are resolved; a set of a thousand rules has some tens of thousands. */
const MAX_VALUES = 200_000;
/** The max number of aliases that are resolved in one YAML text; a limit against texts that expand without end. */
const MAX_ALIASES = 1_000;

/**
 * Disables features of the library that are not linear: it compares each key with all earlier ones, and quotes the line of
 * every error.
 */
const OPTIONS = {
  schema: 'core',
  resolveKnownTags: false,
  merge: false,
  logLevel: 'error',
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/** Parses a YAML 1.2 text by the core schema to values that JSON can express. */
export function parseYaml(text: string): YamlAnswer {
  const tooDeep = yamlDepthFault(text, DEEPEST);
  if (tooDeep !== undefined) return { fault: tooDeep };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter });
  const [error] = [...document.errors, ...document.warnings];
  const invalid =
    error === undefined ? duplicateKey(document) : { reason: reasonOf(error), at: error.pos[0] };
  if (invalid !== undefined) {
    const { line, col } = lineCounter.linePos(invalid.at);
    const [reason = ''] = invalid.reason.split('\n');
    const message = `Must be YAML: ${reason.replace(/[.:]$/, '')} at line ${line}, column ${col}.`;
    return { fault: { code: 'invalid_yaml', message } };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const message = `Must have aliases that lead somewhere, and at most ${MAX_ALIASES}: ${(error as Error).message}.`;
    return { fault: { code: 'invalid_alias', message } };
  }
  return measure(value) ?? { value };
}

/** What is wrong, in words for the author of the text: one message of the parser names what a program should call instead. */
function reasonOf({ code, message }: YAMLParseError | YAMLWarning): string {
  return code === 'MULTIPLE_DOCS' ? 'There must be only one document, and another begins' : message;
}

/** The first key that a map has twice. */
function duplicateKey(
  document: ReturnType<typeof parseDocument>,
): { reason: string; at: number } | undefined {
  let duplicate: { reason: string; at: number } | undefined;
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of isMap(map) ? map.items : []) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          duplicate = { reason: 'Map keys must be unique', at: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return duplicate;
}

/**
 * Checks the number of values, in which one object may occur several times but never within itself; undefined if it is
 * within the limit.
 */
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
      if (values + below.length > MAX_VALUES)
        return { fault: { code: 'too_many', message: `Must have at most ${MAX_VALUES} values.` } };
    }
    values += below.length;
    layer = below;
  }
  return undefined;
}

parentPort?.on('message', (text: string) => parentPort?.postMessage(parseYaml(text)));
