import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Ellipsis } from '../../icons/lucide.ts';
import buttonStyles from '../button.module.css';
import styles from './more-actions.module.css';

/** Actions that are rare or destroy something, behind one button beside the others. */
export function MoreActions({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, [isOpen]);
  return (
    // The keys of what is inside are noted here; the element itself takes no focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={box}
      className={styles['box']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className={`${buttonStyles['button']} ${styles['button']}`}
        aria-label="More actions"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </button>
      {isOpen && (
        // A chosen action closes the list, whichever of its buttons it was.
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a button click it
        <div
          id={id}
          className={styles['list']}
          onClick={() => {
            setOpen(false);
            // Dialogs return the focus to what had it before them.
            button.current?.focus();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
