import '../zod-jitless.ts';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { HostHistory } from './read-history.ts';
import { type TriedHost, tryRule } from './try-rule.ts';

export interface TrialRequest {
  id: number;
  rule: RuleDefinition;
  hosts: readonly HostHistory[];
}

export interface TrialResponse {
  id: number;
  hosts: TriedHost[];
}

addEventListener('message', ({ data: { id, rule, hosts } }: MessageEvent<TrialRequest>) => {
  const response: TrialResponse = { id, hosts: tryRule(rule, hosts) };
  postMessage(response);
});
