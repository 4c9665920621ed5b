import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './tabs.module.css';
import { useStrip } from './use-strip.ts';

export interface Tab<Name extends string> {
  name: Name;
  label: ReactNode;
}

export interface TabsProps<Name extends string> {
  /** What the tabs are of, for assistive technology. */
  label: string;
  tabs: readonly Tab<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  /** The content of the current tab. */
  children: ReactNode;
}

/** Tabs with the content of the current one. Arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: TabsProps<Name>) {
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);
  useStrip(strip, current);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const index = tabs.findIndex(({ name }) => name === current);
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const wrapped = (next + tabs.length) % tabs.length;
    const { name } = tabs[wrapped] as Tab<Name>;
    onChange(name);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[wrapped]?.focus();
  };
  return (
    <>
      <div
        ref={strip}
        role="tablist"
        aria-label={label}
        className={`${styles['tabs']} strip`}
        onKeyDown={onKeyDown}
      >
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChange(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className={styles['panel']}
      >
        {children}
      </div>
    </>
  );
}
