import { newId } from '@tidewatch/contracts/values/id';
import type { Sql } from '@tidewatch/database/connection';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { installAtFirstStart } from '@tidewatch/store/rules/starter-set';
import type { StandaloneConfig } from '../config.ts';
import { prepareFirstKey } from './first-key.ts';
import { prepareLocalAgentKey } from './local-agent-key.ts';

export interface PreparedKeys {
  /** The key that was created at this start; null at later starts. */
  newKey: string | null;
  /** The key of the local agent; null if the agent is disabled. */
  localAgentKey: string | null;
}

/** Creates a key and the starter set of rules at the first start, and the key of the local agent at each start. */
export async function prepareKeysAndRules(
  sql: Sql,
  config: StandaloneConfig,
  logger: Logger,
): Promise<PreparedKeys> {
  const clock = Date.now;
  const newKey = await prepareFirstKey({
    sql,
    directory: config.dataDirectory,
    given: config.bootstrapKey,
    clock,
    newId,
  });
  if (config.starterRules) {
    const rules = await installAtFirstStart(sql, { now: clock(), newId });
    if (rules > 0) logger.info({ rules }, 'the starter set of alert rules was created');
  }
  return { newKey, localAgentKey: await prepareLocalAgentKey(sql, config.localAgent, clock) };
}
