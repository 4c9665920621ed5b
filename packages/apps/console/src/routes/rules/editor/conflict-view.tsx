import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import type { Difference } from './draft.ts';
import styles from './editor.module.css';

interface ConflictProps {
  differences: readonly Difference[];
  version: number;
  onOverwrite: () => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** Both versions of a rule that somebody else has changed meanwhile, field by field. Nothing is overwritten until it is chosen. */
export function ConflictView({ differences, version, onOverwrite, onTheirs, onClose }: ConflictProps) {
  return (
    <Dialog
      title="The rule has changed meanwhile"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={onOverwrite}>
            Save mine over version {version}
          </Button>
          <Button onClick={onTheirs}>Take version {version}</Button>
          <Button onClick={onClose}>Go on editing</Button>
        </>
      }
    >
      {differences.length === 0 ? (
        <p>Version {version} has the same values as yours.</p>
      ) : (
        <div className={styles['conflict']}>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Yours</th>
                <th scope="col">Version {version}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, mine, theirs }) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td>{shown(mine)}</td>
                  <td>{shown(theirs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}

function shown(value: unknown): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
