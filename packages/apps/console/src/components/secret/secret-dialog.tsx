import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { Dialog } from '../dialog/dialog.tsx';

export interface SecretDialogProps {
  title: string;
  /** What the server shows only once. */
  secret: string;
  /** What the secret is for. */
  children: ReactNode;
  onStored: () => void;
}

/** Shows a secret until the user has stored it. Neither Escape nor Back nor closing the tab loses it without a question. */
export function SecretDialog({ title, secret, children, onStored }: SecretDialogProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Dialog
      title={title}
      isOpen
      actions={
        <Button kind="primary" onClick={onStored}>
          I have stored it
        </Button>
      }
    >
      {children}
      <Copy text={secret} />
    </Dialog>
  );
}
