import { validationProblem } from '@tidewatch/contracts/values/problem';
import type { Request } from 'express';
import { hasType, readJson, readText } from '../http/json-body.ts';
import { readYaml } from './yaml-thread.ts';

/** A thousand rules with every field spelled out. */
const LARGEST_SET = 1_048_576;
const YAML = 'application/yaml';

/** The value that a request carries as JSON or YAML; both have the same limits and the same faults. */
export async function readRuleSetBody(request: Request): Promise<unknown> {
  if (!hasType(request, YAML)) return readJson(request, ['application/json', YAML], LARGEST_SET);
  const answer = await readYaml(await readText(request, LARGEST_SET));
  if ('value' in answer) return answer.value;
  throw validationProblem([{ in: 'body', path: '', ...answer.fault }]);
}
