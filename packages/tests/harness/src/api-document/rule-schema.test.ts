import { buildDocument } from '@tidewatch/contracts/document/openapi';
import { CONDITIONS } from '@tidewatch/contracts/rules/condition';
import { NO_DATA_POLICIES } from '@tidewatch/contracts/rules/rule';
import { readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { createConformance } from './conformance.ts';

const document = JSON.parse(JSON.stringify(buildDocument())) as ApiDocument;
const { faultsOfValue } = createConformance(document);
const faultsOf = (rule: unknown) =>
  faultsOfValue('/paths/~1api~1v1~1alerts~1rules/post/requestBody/content', 'application/json', rule);

/** The codes of faults that JSON Schema cannot express: which of two numbers is larger, and that a severity occurs once. */
const BEYOND = ['out_of_range', 'duplicate'];

const limit = fc.option(fc.constantFrom(1, 2, 3), { nil: null, freq: 2 });
const rules = fc.record(
  {
    name: fc.constant('CPU'),
    metric: fc.constantFrom(
      ...['cpu_percent', 'host.silent_minutes', 'host.other', 'container.', 'container.cpu_percent'],
      ...['process.cpu_percent', 'process.threads'],
    ),
    condition: fc.constantFrom(...CONDITIONS),
    threshold: limit,
    threshold_max: limit,
    recovery_threshold: limit,
    thresholds: fc.option(
      fc.array(
        fc.record(
          {
            severity: fc.constantFrom('critical', 'warning'),
            threshold: fc.constantFrom(1, 2, 3),
            threshold_max: limit,
            recovery_threshold: limit,
          },
          { requiredKeys: ['severity', 'threshold'] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
      { nil: null, freq: 2 },
    ),
    transform: fc.constantFrom(null, { kind: 'average', over_minutes: 5 }),
    no_data: fc.record({ policy: fc.constantFrom(...NO_DATA_POLICIES) }),
  },
  { requiredKeys: ['name', 'metric', 'condition'] },
);

it('the JSON Schema of rules accepts the same rules as the service, except for faults that it cannot express', () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(rules, (rule) => {
      const outcome = readRuleInput(rule);
      const codes = 'errors' in outcome ? outcome.errors.map(({ code }) => code) : [];
      const refused = codes.some((code) => !BEYOND.includes(code));
      seen[refused ? 'refused' : 'taken'] += 1;
      expect(faultsOf(rule).length > 0, JSON.stringify([rule, outcome, faultsOf(rule)])).toBe(refused);
    }),
    { numRuns: 2_000 },
  );
  expect(seen.taken).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(100);
});
