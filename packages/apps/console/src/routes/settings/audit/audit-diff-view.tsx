import { formatBytes } from '../../../components/number/number-format.ts';
import { visibleText } from '../../../components/visible-text.ts';
import styles from '../settings.module.css';
import { changesOf, type State, truncationOf } from './audit-diff.ts';

/** What was before and what became of it, field by field. */
export function AuditDiff({ id, before, after }: { id: string; before: State; after: State }) {
  const changes = changesOf(before, after);
  return (
    <div id={id} className={styles['diff']}>
      {changes.length === 0 ? (
        <p className={styles['muted']}>No field differs.</p>
      ) : (
        <table className={styles['table']} aria-label="Changes">
          <thead>
            <tr>
              <th scope="col">Field</th>
              {before !== null && <th scope="col">Before</th>}
              {after !== null && <th scope="col">After</th>}
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.field}>
                <th scope="row">
                  <code>{visibleText(change.field)}</code>
                </th>
                {before !== null && (
                  <td>
                    <Side text={change.before} is="del" />
                  </td>
                )}
                {after !== null && (
                  <td>
                    <Side text={change.after} is="ins" />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {[before, after].map((state, index) => (
        <Truncated
          key={index === 0 ? 'before' : 'after'}
          side={index === 0 ? 'Before' : 'After'}
          state={state}
        />
      ))}
    </div>
  );
}

function Side({ text, is: Element }: { text: string | undefined; is: 'del' | 'ins' }) {
  if (text === undefined) return '–';
  return (
    <Element>
      <span aria-hidden="true">{Element === 'del' ? '− ' : '+ '}</span>
      <bdi>{visibleText(text)}</bdi>
    </Element>
  );
}

function Truncated({ side, state }: { side: string; state: State }) {
  const truncation = truncationOf(state);
  if (truncation === null) return null;
  return (
    <p className={styles['muted']}>
      {side}: of {formatBytes(truncation.bytes)} the log keeps the smaller fields, without{' '}
      {truncation.fields.map(visibleText).join(', ')}.
    </p>
  );
}
