import { useState } from 'react';
import { Dialog } from '../components/dialog/dialog.tsx';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { type ShownShortcut, shownShortcuts } from './shortcut-words.ts';
import styles from './shortcuts-dialog.module.css';
import { workingShortcuts } from './use-shortcuts.ts';

/** The shortcuts of the page below it, and the switch that disables all of single characters. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePreferences();
  const [working] = useState(workingShortcuts);
  const ofPage = shownShortcuts('page', working);
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      {ofPage.length > 0 && <Keys heading="On this page" shortcuts={ofPage} />}
      <Keys
        heading="On every page"
        shortcuts={[
          { keys: ['Ctrl', 'K'], words: 'Search hosts, rules and commands (also ⌘ K)' },
          ...shownShortcuts('everywhere', working),
        ]}
      />
      <label className={styles['switch']}>
        <input
          type="checkbox"
          checked={shortcuts === 'on'}
          onChange={({ target }) => setPreferences({ shortcuts: target.checked ? 'on' : 'off' })}
        />
        Shortcuts of single characters
      </label>
    </Dialog>
  );
}

function Keys({ heading, shortcuts }: { heading: string; shortcuts: readonly ShownShortcut[] }) {
  return (
    <section className={styles['keys']}>
      <h3>{heading}</h3>
      <dl>
        {shortcuts.map(({ keys, words }) => (
          <div key={keys.join(' ')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key === 'Escape' ? 'Esc' : key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
