import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Problem } from '../problem.tsx';
import { visibleText } from '../visible-text.ts';
import type { AskDialogProps } from './ask-dialog.tsx';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';

interface TypedNameDialogProps
  extends Pick<AskDialogProps, 'title' | 'action' | 'busy' | 'acting' | 'onClose'> {
  noun: string;
  name: string;
  children: ReactNode;
}

/** Asks for the name of what is about to be lost before it is lost. */
export function TypedNameDialog(props: TypedNameDialogProps) {
  const { title, noun, name, action, busy, acting, onClose, children } = props;
  const [typed, setTyped] = useState('');
  const shown = visibleText(name);
  // Names are shown with control characters as escapes, which nobody could type otherwise.
  const isTyped = typed === name || typed === shown;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !acting.isPending) acting.mutate();
        }}
      >
        {children}
        <label className={styles['form']}>
          <span>
            Type the name of the {noun}: <bdi>{shown}</bdi>
          </span>
          <input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        {acting.error && <Problem error={acting.error} />}
        <div className={styles['actions']}>
          <Button type="submit" kind="danger" disabled={!isTyped} isBusy={acting.isPending} busy={busy}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
