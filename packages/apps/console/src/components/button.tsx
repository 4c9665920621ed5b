import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  kind?: 'primary' | 'plain' | 'danger';
  /** Shown in place of the label while the action goes on, such as "Acknowledging …". The button keeps its size. */
  busy?: ReactNode;
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
      {isBusy && <span className={styles['busy']}>{busy ?? children}</span>}
    </button>
  );
}
