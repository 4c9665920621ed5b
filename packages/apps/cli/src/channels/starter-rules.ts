import { entries } from '@tidewatch/api-client/pages';
import type { Schema } from '@tidewatch/api-client/schema';
import { safeText } from '../output/safe-text.ts';
import type { Session } from '../session.ts';

type Channel = Schema<'Channel'>;
type Rule = Pick<Schema<'Rule'>, 'id' | 'name' | 'channels'>;

/** What the external ids of the starter rules begin with. */
const STARTER_PREFIX = 'starter/';

/**
 * Has every starter rule notify the channel, and says which rules it changed. Rules are changed one by one: where that ends
 * early, it says which were and how to complete it, and throws as the call that failed. A rule that reaches the channel stays
 * as it is, so that a second run changes only what the first one left.
 */
export async function useForStarterRules(session: Session, channel: Channel): Promise<void> {
  const changed: Rule[] = [];
  const say = (text: string) =>
    session.json() ? session.terminal.note(text) : session.terminal.print(`${text}\n`);
  const sayChanged = async () => {
    for (const { id, name } of changed) await say(`  changed: ${id} ${safeText(name)}`);
  };
  try {
    const rules = await starterRules(session);
    const left = rules.filter((rule) => !reaches(rule, channel));
    for (const rule of left) {
      session.signal.throwIfAborted();
      await session.client().patch('/api/v1/alerts/rules/{id}', {
        params: { path: { id: rule.id } },
        body: { channels: [...rule.channels, channel.id] },
      });
      changed.push(rule);
    }
    await say(`${rules.length} starter rules notify it`);
    await sayChanged();
  } catch (error) {
    await sayChanged();
    session.terminal.note(
      `not every starter rule notifies ${channel.id} yet; complete it: tidewatch channels use ${channel.id} --for starter`,
    );
    throw error;
  }
}

/** The starter rules, which are installed where there are none. */
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

function reaches({ channels }: Rule, channel: Channel): boolean {
  const names = [channel.id, ...(channel.is_default ? ['default', channel.kind] : [])];
  return channels.some((name) => names.includes(name));
}
