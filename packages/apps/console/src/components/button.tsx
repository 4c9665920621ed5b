import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: 'primary' | 'plain' | 'danger';
  /** Shown in place of the label while the action goes on, such as "Acknowledging …". The button has room for both. */
  busy?: string;
  isBusy?: boolean;
  type?: 'button' | 'submit';
}

/** A button whose label is a verb. While it is busy it takes no clicks, but keeps the focus. */
export function Button({ kind = 'plain', busy, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[styles['button'], styles[kind], rest.className].filter(Boolean).join(' ')}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      <span className={styles['label']} data-hidden={isBusy || undefined}>
        {children}
      </span>
      <span className={styles['busy']} data-text={busy}>
        {isBusy && (busy ?? children)}
      </span>
    </button>
  );
}
