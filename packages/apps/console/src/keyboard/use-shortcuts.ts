import { useEffect, useRef } from 'react';
import { preferences } from '../preferences/preferences.ts';

export type Shortcuts = Readonly<Record<string, () => void>>;

/** Calls the action of a single key, by its character, while no field has the focus and the user has not disabled them. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (preferences().shortcuts === 'off' && event.key !== 'Escape') return;
      if (isInField(event.target) || document.querySelector('[role="dialog"]') !== null) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
