import { useEffect, useId } from 'react';

/** The dialogs that are open, the topmost last: a dialog that asks something may lie over a form in another one. */
const open: string[] = [];
/** Events that have closed a dialog already. Every open dialog receives each key press. */
const used = new WeakSet<Event>();

/** Returns whether an event may close the dialog that calls this: the topmost one, and no other with the same event. */
export function useTopmost(isOpen: boolean): (event: Event) => boolean {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    open.push(id);
    return () => {
      open.splice(open.indexOf(id), 1);
    };
  }, [id, isOpen]);
  return (event) => {
    if (open.at(-1) !== id || used.has(event)) return false;
    used.add(event);
    return true;
  };
}
