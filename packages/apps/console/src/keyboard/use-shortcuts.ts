import { useEffect, useRef } from 'react';
import { preferences } from '../preferences/preferences.ts';
import { keyStep } from './key-sequence.ts';
import type { ShortcutKey } from './shortcut-words.ts';

export type Shortcuts = Readonly<Partial<Record<ShortcutKey, () => void>>>;

/** The second key of a shortcut of two follows within this time, ms. */
const MAX_PAUSE_MS = 1_500;
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/** What is mounted, in the order in which it was: the newest comes first where two have the same key. */
const registered = new Set<{ current: Shortcuts }>();
/** Keys that a focused component handles itself, which are only listed. */
const listed = new Set<readonly ShortcutKey[]>();
let pending = '';
let pendingSince = 0;

/** Calls an action by its key or keys, while no field has the focus and the user has not disabled shortcuts. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    if (registered.size === 0) {
      document.addEventListener('keydown', onSecondKey, true);
      document.addEventListener('keydown', onKey);
    }
    registered.add(current);
    return () => {
      registered.delete(current);
      if (registered.size > 0) return;
      document.removeEventListener('keydown', onSecondKey, true);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}

/** Lists keys among the shortcuts of the page that a component, such as a grid, handles itself while it has the focus. */
export function useListedShortcuts(keys: readonly ShortcutKey[]): void {
  const text = keys.join(' ');
  useEffect(() => {
    const own = text.split(' ') as ShortcutKey[];
    listed.add(own);
    return () => void listed.delete(own);
  }, [text]);
}

/** The keys that work on the page now. */
export function workingShortcuts(): ReadonlySet<string> {
  return new Set([...[...registered].flatMap(({ current }) => Object.keys(current)), ...[...listed].flat()]);
}

/** Whether the user has disabled shortcuts of single characters, to which this key belongs. */
export function isDisabledKey(key: string): boolean {
  return key.length === 1 && key !== ' ' && preferences().shortcuts === 'off';
}

/** Comes before any component that takes single keys, since the second key of `g a` is not a key of a grid. */
function onSecondKey(event: KeyboardEvent): void {
  if (pending === '' || MODIFIERS.has(event.key)) return;
  const isLate = event.timeStamp - pendingSince > MAX_PAUSE_MS;
  const { completed } = keyStep(pending, event.key, workingShortcuts());
  pending = '';
  if (isLate || !isForShortcuts(event)) return;
  event.preventDefault();
  event.stopPropagation();
  if (completed !== null) run(completed);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || !isForShortcuts(event)) return;
  const step = keyStep('', event.key, workingShortcuts());
  pending = step.pending;
  pendingSince = event.timeStamp;
  if (step.completed !== null && run(step.completed)) event.preventDefault();
}

function isForShortcuts(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (isDisabledKey(event.key) || isInField(event.target)) return false;
  return document.querySelector('[role="dialog"]') === null;
}

/** Runs the action of the newest component that has the key; false where a focused component handles it itself. */
function run(keys: string): boolean {
  for (const { current } of [...registered].reverse()) {
    const action = Object.hasOwn(current, keys) ? current[keys as ShortcutKey] : undefined;
    if (action === undefined) continue;
    action();
    return true;
  }
  return false;
}

function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
