import type { Facts } from './facts.ts';
import type { FindingDraft } from './finding.ts';

const NOTHING = {
  metric: null,
  baseline: null,
  observed: null,
  startedAt: null,
  hosts: [],
  unaffectedHosts: [],
} as const;

type Given = Pick<
  FindingDraft,
  'kind' | 'detector' | 'title' | 'description' | 'score' | 'subject' | 'evidence'
>;

/** Makes a finding about the investigated host; fields that are not given are null or empty. */
export function aboutHost(facts: Facts, given: Given & Partial<FindingDraft>): FindingDraft {
  const { serviceId, host } = facts.service;
  return { serviceId, host, ...NOTHING, ...given };
}
