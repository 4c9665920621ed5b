import { entries } from '@tidewatch/api-client/pages';
import type { Schema } from '@tidewatch/api-client/schema';
import { safeText } from '../output/safe-text.ts';
import type { Session } from '../session.ts';

type Channel = Schema<'Channel'>;
type Rule = Pick<Schema<'Rule'>, 'id' | 'name' | 'channels'>;

/** The prefix of the external ids of the starter rules. */
const STARTER_PREFIX = 'starter/';

/**
 * Adds the channel to every starter rule that does not notify it, one rule at a time, and prints the changed rules. If a
 * change fails, prints the rules changed so far and the command that completes the rest, and throws the error.
 */
export async function useForStarterRules(session: Session, channel: Channel): Promise<void> {
  const changed: Rule[] = [];
  const printLine = (text: string) =>
    session.json() ? session.terminal.note(text) : session.terminal.print(`${text}\n`);
  const printChanged = async () => {
    for (const { id, name } of changed) await printLine(`  changed: ${id} ${safeText(name)}`);
  };
  try {
    const rules = await starterRules(session);
    const left = rules.filter((rule) => !notifies(rule, channel));
    for (const rule of left) {
      session.signal.throwIfAborted();
      await session.client().patch('/api/v1/alerts/rules/{id}', {
        params: { path: { id: rule.id } },
        body: { channels: [...rule.channels, channel.id] },
      });
      changed.push(rule);
    }
    await printLine(`${rules.length} starter rules notify it`);
    await printChanged();
  } catch (error) {
    await printChanged();
    session.terminal.note(
      `not every starter rule notifies ${channel.id} yet; complete it with: tidewatch channels use ${channel.id} --for starter`,
    );
    throw error;
  }
}

/** Reads the starter rules. Installs them first if there are none. */
async function starterRules(session: Session): Promise<Rule[]> {
  const client = session.client();
  const find = async () => {
    const rules: Rule[] = [];
    for await (const rule of entries(client, '/api/v1/alerts/rules', 'rules', {}))
      if (rule.external_id?.startsWith(STARTER_PREFIX)) rules.push(rule);
    return rules;
  };
  const found = await find();
  if (found.length > 0) return found;
  await client.post('/api/v1/alerts/rules/starter', {});
  return find();
}

function notifies({ channels }: Rule, channel: Channel): boolean {
  const names = [channel.id, ...(channel.is_default ? ['default', channel.kind] : [])];
  return channels.some((name) => names.includes(name));
}
