import type { ReactNode } from 'react';
import type { Action } from '../../api/action.ts';
import { Button } from '../button.tsx';
import { Problem } from '../problem.tsx';
import { Dialog } from './dialog.tsx';

export interface AskDialogProps {
  title: string;
  /** The label of the button that acts, and what stands there meanwhile. */
  action: string;
  busy: string;
  /** The label of the button that changes nothing. */
  cancel?: string;
  acting: Action;
  isOpen?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is done that cannot be undone, and says why it failed. */
export function AskDialog(props: AskDialogProps) {
  const { title, action, busy, cancel = 'Keep it', acting, isOpen = true, onClose, children } = props;
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" isBusy={acting.isPending} busy={busy} onClick={() => acting.mutate()}>
            {action}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </>
      }
    >
      {children}
      {acting.error && <Problem error={acting.error} />}
    </Dialog>
  );
}
