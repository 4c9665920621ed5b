import { SCOPES } from '@tidewatch/contracts/values/access';
import { Field } from '../../../form/fields.tsx';
import { useForm } from '../../../form/form-state.ts';
import { useSession } from '../../../session/session-state.ts';
import styles from '../settings.module.css';
import { grantable } from './key-draft.ts';
import { SCOPE_WORDS } from './key-words.ts';

/** What the key may do. Scopes that the session lacks itself cannot be given. */
export function ScopesField() {
  const { draft, change } = useForm();
  const session = useSession();
  const allowed = session.kind === 'signed-in' ? grantable(session.identity.scopes) : SCOPES;
  const chosen = (draft['scopes'] ?? []) as readonly string[];
  return (
    <Field path="/scopes" label="Scopes">
      {({ id, describedBy }) => (
        <fieldset id={id} aria-label="Scopes" aria-describedby={describedBy} className={styles['choices']}>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                disabled={!allowed.includes(scope)}
                checked={chosen.includes(scope)}
                onChange={({ target: { checked } }) =>
                  change('/scopes', checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                }
              />
              <span>
                {scope}{' '}
                <span className={styles['muted']}>
                  {allowed.includes(scope) ? SCOPE_WORDS[scope] : `needs the scope ${scope}`}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
