import { validationProblem } from '@tidewatch/contracts/problems/problem';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Request, Response } from 'express';
import { clientGone } from '../http/client-gone.ts';
import { hasType, readJson, readText } from '../http/json-body.ts';
import { OrganizationShare } from '../http/organization-share.ts';
import { readYaml } from './yaml-thread.ts';

/** The max size of a rule set, bytes: a thousand rules with every field. */
const MAX_SET = 1_048_576;
const YAML = 'application/yaml';

export type ReadRuleSetBody = (request: Request, response: Response) => Promise<unknown>;

/**
 * Creates a reader of bodies in JSON or YAML, with the same limits and faults for both. At most two YAML texts are parsed
 * at once, one of an organization, so that a slow one delays only others of its organization.
 */
export function createRuleSetReader(metrics: Metrics): ReadRuleSetBody {
  const share = new OrganizationShare({
    resource: 'yaml',
    metrics,
    capacity: 2,
    maxPerOrganization: 1,
    maxWaitingPerOrganization: 8,
    maxWaitMs: 20_000,
  });
  return async (request, response) => {
    if (!hasType(request, YAML)) return readJson(request, ['application/json', YAML], MAX_SET);
    const text = await readText(request, MAX_SET);
    const gone = clientGone(response);
    const answer = await share.run(keyOf(response).organizationId, gone, () => readYaml(text, gone));
    if ('value' in answer) return answer.value;
    throw validationProblem([{ in: 'body', path: '', ...answer.fault }]);
  };
}
