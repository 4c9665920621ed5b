import { useNavigate } from '@tanstack/react-router';
import { isServed, type PageName, pathOf } from '@tidewatch/contracts/console/paths';
import { Suspense, useEffect } from 'react';
import { type Shortcuts, useShortcuts } from '../keyboard/use-shortcuts.ts';
import { lazyPart } from '../upgrade/load-part.ts';
import { closeOverlay, openOverlay, useOverlay } from './overlay.ts';

/** Most visits open none of them, so that each is loaded when it opens. */
const Palette = lazyPart(() => import('../palette/palette.tsx'), 'Palette');
const ShortcutsDialog = lazyPart(() => import('../keyboard/shortcuts-dialog.tsx'), 'ShortcutsDialog');
const SilenceDialog = lazyPart(() => import('../routes/alerts/silence-dialog.tsx'), 'SilenceDialog');

const PAGES_BY_KEY = {
  'g o': 'overview',
  'g a': 'alerts',
  'g h': 'hosts',
  'g r': 'rules',
  'g i': 'investigations',
  'g q': 'query',
} as const satisfies Partial<Record<keyof Shortcuts, PageName>>;

/** The commands that work on every page: the palette, the list of shortcuts, and the keys that lead to pages. */
export function Overlays() {
  const overlay = useOverlay();
  const navigate = useNavigate();
  usePaletteKey();
  const pages = Object.entries(PAGES_BY_KEY)
    .filter(([, page]) => isServed(page))
    .map(([keys, page]) => [keys, () => void navigate({ to: pathOf(page, {}) })]);
  useShortcuts({
    '?': () => openOverlay({ kind: 'shortcuts' }),
    '/': () => document.querySelector<HTMLElement>('[data-page-filter]')?.focus(),
    ...(Object.fromEntries(pages) as Shortcuts),
  });
  if (overlay === null) return null;
  return (
    <Suspense>
      {overlay.kind === 'palette' && <Palette />}
      {overlay.kind === 'shortcuts' && <ShortcutsDialog onClose={closeOverlay} />}
      {overlay.kind === 'silence' && <SilenceDialog host={overlay.host} onClose={closeOverlay} />}
    </Suspense>
  );
}

/** `Ctrl K`, and `⌘ K`, also from a field: the palette opens unless another dialog is open. */
function usePaletteKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
      if (!isCommand || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) openOverlay({ kind: 'palette' });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
