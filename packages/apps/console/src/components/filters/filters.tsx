import { type ReactNode, useId, useState } from 'react';
import { Button } from '../button.tsx';
import toolbar from '../toolbar.module.css';
import { usePhone } from '../use-phone.ts';
import styles from './filters.module.css';

export interface FiltersProps {
  /** The name of the landmark, such as "Filter alerts". */
  name: string;
  /** Stays visible on a phone: the field that somebody types into. */
  lead?: ReactNode;
  /** How many of the choices differ from their default. */
  active: number;
  /** The choices, which a phone shows on request. */
  children: ReactNode;
  /** Stays visible behind the choices: counts, buttons, and filters that are removed one by one. */
  after?: ReactNode;
}

/** The filters of a list in one row; on a phone behind one button, so that the list begins near the top. */
export function Filters({ name, lead, active, children, after }: FiltersProps) {
  const isPhone = usePhone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search className={`${toolbar['toolbar']} ${styles['filters']}`} aria-label={name}>
      {lead}
      {isPhone && (
        <Button
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{active > 0 && ` (${active})`}
        </Button>
      )}
      {(!isPhone || isOpen) && (
        <div id={id} className={styles['choices']}>
          {children}
        </div>
      )}
      {after}
    </search>
  );
}
