import { type RuleDefinition, ruleFields } from './rule.ts';
import type { Level, Override } from './rule-terms.ts';

type Fields = Record<string, unknown>;

const DEFAULTS: Fields = Object.fromEntries(
  Object.entries(ruleFields).flatMap(([name, field]) => {
    const outcome = field.safeParse(undefined);
    return outcome.success ? [[name, outcome.data]] : [];
  }),
);
const LEVEL_DEFAULTS: Fields = { threshold_max: null, recovery_threshold: null, duration_minutes: null };
const OVERRIDE_DEFAULTS: Fields = {
  enabled: true,
  threshold: null,
  threshold_max: null,
  recovery_threshold: null,
  duration_minutes: null,
  keep_firing_minutes: null,
  severity: null,
  thresholds: null,
};

/**
 * A rule in the form of a rule set, without fields that the server sets and fields with default values, so that reading it
 * gives the same definition. A rule without an external id gets its id, which becomes its external id when the set is
 * applied.
 */
export function exportRule(id: string, definition: RuleDefinition): Fields {
  const { thresholds, overrides, no_data: noData } = definition;
  const fields: Fields = {
    ...definition,
    external_id: definition.external_id ?? id,
    thresholds: thresholds?.map(exportLevel) ?? null,
    overrides: overrides.map(exportOverride),
    no_data: without({ ...noData }, DEFAULTS.no_data as Fields),
  };
  const ordered = Object.fromEntries(Object.keys(ruleFields).map((name) => [name, fields[name]]));
  return without(ordered, { ...DEFAULTS, no_data: {} });
}

function exportLevel(level: Level): Fields {
  const { severity, threshold, ...rest } = level;
  return { severity, threshold, ...without(rest, LEVEL_DEFAULTS) };
}

function exportOverride(override: Override): Fields {
  const { match, thresholds, ...rest } = override;
  const fields = { ...rest, thresholds: thresholds?.map(exportLevel) ?? null };
  return { match, ...without(fields, OVERRIDE_DEFAULTS) };
}

function without(fields: Fields, defaults: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([name, value]) => !Object.hasOwn(defaults, name) || !isAlike(value, defaults[name]),
  );
  return Object.fromEntries(kept);
}

/** Whether a value is the default: a scalar, an empty list or an empty object. */
function isAlike(value: unknown, fallback: unknown): boolean {
  if (typeof fallback !== 'object' || fallback === null) return value === fallback;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
