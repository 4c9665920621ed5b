import type { SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import { CompiledSilence, type SilenceTerms } from './silence.ts';

export const ORGANIZATION = 'org_1';

/** Matchers of a silence: empty, except those that are given. */
export function matchersOf(some: Partial<SilenceMatchers>): SilenceMatchers {
  return { hosts: [], tags: {}, rule_ids: [], severities: [], subjects: [], ...some };
}

/** A silence of all hosts from 1,000 to 2,000 ms, with the terms that a test overrides. */
export function silenceOf(terms: Partial<SilenceTerms> = {}): CompiledSilence {
  const until = terms.until ?? 2_000;
  return new CompiledSilence({
    id: 'sil_1',
    organizationId: ORGANIZATION,
    matchers: matchersOf({ hosts: ['*'] }),
    from: 1_000,
    until,
    recurrence: null,
    timezone: 'UTC',
    endsAt: until,
    endedAt: Number.POSITIVE_INFINITY,
    ...terms,
  });
}
