import { CHANNEL_KINDS } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { visibleText } from '../../../../components/visible-text.ts';
import { Field } from '../../../../form/fields.tsx';
import { useForm } from '../../../../form/form-state.ts';
import { useChannels } from '../../channel-names.ts';
import styles from '../editor.module.css';

/** Whom alerts notify: the defaults of all kinds or of one kind, or single channels. */
export function ChannelsField() {
  const { draft, change } = useForm();
  const { data: channels = [] } = useChannels();
  const chosen = (draft['channels'] as string[] | undefined) ?? [];
  const options = [
    ['default', 'all default channels'],
    ...CHANNEL_KINDS.map((kind) => [kind, `default of ${kind}`]),
    ...channels.map(({ id, name, kind, enabled }) => [id, `${name} (${kind}${enabled ? '' : ', off'})`]),
  ] as [string, string][];
  const unknown = chosen.filter((each) => !options.some(([value]) => value === each));
  return (
    <Field path="/channels" label="Notify" help={chosen.length === 0 ? 'Nobody is notified.' : undefined}>
      {({ id, describedBy }) => (
        <fieldset id={id} aria-label="Channels" aria-describedby={describedBy} className={styles['channels']}>
          {[...options, ...unknown.map((value) => [value, value] as [string, string])].map(
            ([value, word]) => (
              <label key={value}>
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={({ target }) =>
                    change(
                      '/channels',
                      target.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
                    )
                  }
                />
                {visibleText(word)}
              </label>
            ),
          )}
        </fieldset>
      )}
    </Field>
  );
}
