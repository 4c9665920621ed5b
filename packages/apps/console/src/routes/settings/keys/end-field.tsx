import { Select } from '../../../components/select.tsx';
import { Field } from '../../../form/fields.tsx';
import { useForm } from '../../../form/form-state.ts';
import styles from '../settings.module.css';
import { ENDS } from './key-draft.ts';

/** When the key ends: never, after a time, or at one. */
export function EndField() {
  const { draft, change } = useForm();
  const { ends = '', ends_at = '' } = draft as { ends?: string; ends_at?: string };
  return (
    <Field path="/expires_at" label="Ends">
      {({ id, describedBy }) => (
        <div className={styles['form']}>
          <Select
            id={id}
            aria-describedby={describedBy}
            value={ends}
            options={ENDS}
            onChange={(value) => change('/ends', value)}
          />
          {ends === 'at' && (
            <input
              type="datetime-local"
              aria-label="Ends at"
              required
              value={ends_at}
              onChange={({ target }) => change('/ends_at', target.value)}
            />
          )}
        </div>
      )}
    </Field>
  );
}
