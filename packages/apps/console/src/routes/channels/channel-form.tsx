import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { Select } from '../../components/select.tsx';
import { Field, PatternsField, TextField } from '../../form/fields.tsx';
import { type Draft, useForm } from '../../form/form-state.ts';
import { KIND_WORDS } from './channel-kinds.ts';
import styles from './channels.module.css';

const SLACK_WAYS = [
  ['webhook', 'an incoming webhook'],
  ['bot', 'a bot'],
] as const;

/** The fields of a channel of its kind. A masked value that is left as it is keeps the secret. */
export function ChannelForm({ isNew }: { isNew: boolean }) {
  const { draft, change } = useForm();
  const config = (draft['config'] ?? {}) as Draft;
  const kind = draft['kind'] as ChannelKind;
  const isBot = 'bot_token' in config;
  const keep = isNew ? undefined : 'The stored value, with secrets masked. Left as it is, it stays.';
  return (
    <div className={styles['form']}>
      <TextField path="/name" label="Name" />
      {draft['kind'] === 'slack' && (
        <>
          <Field path="/config" label="By" ownsMembers={false}>
            {({ id }) => (
              <Select
                id={id}
                value={isBot ? 'bot' : 'webhook'}
                options={SLACK_WAYS}
                onChange={(way) =>
                  change('/config', way === 'bot' ? { bot_token: '', channel: '' } : { webhook_url: '' })
                }
              />
            )}
          </Field>
          {isBot ? (
            <>
              <TextField path="/config/bot_token" label="Token" help={keep} />
              <TextField path="/config/channel" label="Channel" help="Its id or name, such as #alerts." />
            </>
          ) : (
            <TextField path="/config/webhook_url" label="Address" help={keep} />
          )}
        </>
      )}
      {draft['kind'] === 'email' && (
        <PatternsField path="/config/to" label="To" help="Addresses, with commas between." />
      )}
      {draft['kind'] === 'webhook' && (
        <>
          <TextField path="/config/url" label="Address" help={keep} />
          <TextField
            path="/config/secret"
            label="Secret"
            isNullable
            help={isNew ? 'Empty: a secret is made and shown once.' : keep}
          />
        </>
      )}
      {draft['kind'] === 'pagerduty' && (
        <TextField path="/config/routing_key" label="Integration key" help={keep} />
      )}
      <CheckField
        path="/is_default"
        label="Default"
        text={`Use this channel for rules that say only “${KIND_WORDS[kind]}”, not which channel`}
      />
      <CheckField path="/enabled" label="Sends" text="Send notifications to this channel" />
    </div>
  );
}

function CheckField({ path, label, text }: { path: string; label: string; text: string }) {
  const { draft, change } = useForm();
  return (
    <Field path={path} label={label}>
      {({ id, describedBy }) => (
        <span className={styles['check']}>
          <input
            id={id}
            type="checkbox"
            aria-describedby={describedBy}
            checked={draft[path.slice(1)] === true}
            onChange={({ target }) => change(path, target.checked)}
          />
          {text}
        </span>
      )}
    </Field>
  );
}
