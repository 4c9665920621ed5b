import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { X } from '../../icons/lucide.ts';
import { visibleText } from '../visible-text.ts';
import styles from './dialog.module.css';
import { useTopmost } from './open-dialogs.ts';

export interface DialogProps {
  /** The name of the dialog, whose unseen characters are escaped; tests and screen readers find it by that. */
  title: string;
  isOpen: boolean;
  /** True for tables and charts, which need more room than a form. */
  isWide?: boolean;
  /** Absent where the dialog cannot be left, such as the sign-in. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
  /** The buttons at the end, the most important one first. */
  actions?: ReactNode;
}

/** A modal dialog. It traps the focus and gives it back to where it was. */
export function Dialog({ title, isOpen, isWide = false, onClose, children, actions }: DialogProps) {
  const mayClose = useTopmost(isOpen);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => !open && mayClose(event) && onClose?.()}
      disablePointerDismissal={!onClose}
    >
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['dialog']} data-wide={isWide || undefined}>
          <div className={styles['head']}>
            <Base.Title className={styles['title']}>{visibleText(title)}</Base.Title>
            {onClose && (
              <Base.Close className={styles['close']} aria-label="Close">
                <X size={18} aria-hidden="true" />
              </Base.Close>
            )}
          </div>
          {children}
          {actions && <div className={styles['actions']}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
