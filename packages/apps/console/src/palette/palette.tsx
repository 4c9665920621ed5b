import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import dialogStyles from '../components/dialog/dialog.module.css';
import { problemText } from '../components/problem-text.ts';
import { StatusShape } from '../components/status/status.tsx';
import { closeOverlay, openOverlay } from '../frame/overlay.ts';
import { Search } from '../icons/lucide.ts';
import { setPreferences } from '../preferences/preferences.ts';
import { signOut } from '../session/session-requests.ts';
import styles from './palette.module.css';
import type { PaletteAction, PaletteEntry, PaletteGroup } from './palette-entries.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

/** Finds hosts, rules, alerts, pages and commands while somebody types, and opens or runs the chosen one. */
export function Palette() {
  const router = useRouter();
  const [text, setText] = useState('');
  const { groups, isSearching, error } = usePaletteGroups(text);
  const run = (action: PaletteAction) => {
    closeOverlay();
    switch (action.kind) {
      case 'open':
        router.history.push(action.to);
        break;
      case 'prefer':
        setPreferences(action.changes);
        break;
      case 'silence':
        openOverlay({ kind: 'silence', host: action.host });
        break;
      case 'shortcuts':
        openOverlay({ kind: 'shortcuts' });
        break;
      case 'sign-out':
        // A server that does not answer leaves the session as it is, and the freshness of the page says so.
        void signOut().catch(() => undefined);
    }
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles['backdrop']} />
        <Dialog.Popup className={styles['palette']} aria-label="Search">
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups as PaletteGroup[]}
            itemToStringValue={({ label }: PaletteEntry) => label}
            value={text}
            onValueChange={(value, { reason }) => {
              // A chosen entry closes the palette and leaves the text.
              if (reason !== 'item-press') setText(value);
            }}
            autoHighlight="always"
            keepHighlight
          >
            <div className={styles['field']}>
              <Search size={18} aria-hidden="true" />
              <Autocomplete.Input
                className={styles['input']}
                aria-label="Search hosts, rules and commands"
                placeholder="Search hosts, rules, commands"
                maxLength={200}
                spellCheck={false}
              />
              <Dialog.Close className={styles['close']}>
                <kbd>Esc</kbd>
                <span className="visually-hidden"> Close</span>
              </Dialog.Close>
            </div>
            <p role="status" className={styles['state']} data-empty={groups.length > 0 || undefined}>
              {groups.length > 0
                ? ''
                : error
                  ? problemText(error).detail
                  : isSearching
                    ? 'Searching …'
                    : `Nothing matches “${text.trim()}”.`}
            </p>
            <Autocomplete.List className={styles['list']}>
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className={styles['group']}>
                  <Autocomplete.GroupLabel className={styles['heading']}>
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: PaletteEntry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        className={styles['item']}
                        onClick={() => run(entry.action)}
                      >
                        {entry.status !== undefined && <StatusShape status={entry.status} />}
                        <span className={styles['label']}>{entry.label}</span>
                        {entry.status !== undefined && (
                          <span className={styles['status']}>{entry.status}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
