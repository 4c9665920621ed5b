import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import type { HostCollector } from './collector.ts';

/** The collectors without those that options switch off. Throws a ConfigError for a name that no collector has. */
export function chooseCollectors(
  collectors: readonly HostCollector[],
  disabled: readonly string[],
): HostCollector[] {
  const names = collectors.map(({ name }) => name);
  const unknown = disabled.find((name) => !names.includes(name));
  if (unknown === undefined) return collectors.filter(({ name }) => !disabled.includes(name));
  const meant = nearMiss(unknown, names);
  throw new ConfigError(
    `--disable ${unknown} is no collector${meant ? `. Did you mean ${meant}?` : ''}; allowed are ${names.join(', ')}`,
  );
}
