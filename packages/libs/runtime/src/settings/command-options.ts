import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { ConfigError } from './config-error.ts';

/**
 * Reads options of the form `--name value` and `--name=value`. Throws ConfigError for an unknown option (with a
 * suggestion), a missing value, and an argument that is no option; the message ends with `usage`.
 */
export function readCommandOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  usage: string,
) {
  const refuse = (fault: string) => new ConfigError(`${fault}\n\n${usage.trimEnd()}`);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) {
      const near = nearMiss(token.name, Object.keys(options));
      throw refuse(`There is no option ${token.rawName}${near ? `; did you mean --${near}?` : '.'}`);
    }
    if (token.kind === 'positional') throw refuse(`${token.value} is no option.`);
  }
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw refuse((error as Error).message);
  }
}
