import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy.module.css';

export interface CopyProps {
  text: string;
  /** The label of the button. Default: Copy. */
  label?: string;
  /** Whether the text stands beside the button. Default: true. */
  showsText?: boolean;
}

/** A text with a button that copies it. Where a page may not copy, as over plain HTTP, the text is selected instead. */
export function Copy({ text, label = 'Copy', showsText = true }: CopyProps) {
  const shown = useRef<HTMLElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'selected' | undefined>();
  const copy = async () => {
    setOutcome(undefined);
    setOutcome(await copyText(text, shown.current));
  };
  return (
    <span className={styles['copy']}>
      <code ref={shown} className={showsText || outcome === 'selected' ? styles['text'] : styles['hidden']}>
        {text}
      </code>
      <Button data-screen-only="" onClick={copy}>
        {label}
      </Button>
      <span role="status" className={styles['outcome']}>
        {outcome === 'copied' && 'Copied'}
        {outcome === 'selected' && 'Selected: press Ctrl C'}
      </span>
    </span>
  );
}

async function copyText(text: string, element: HTMLElement | null): Promise<'copied' | 'selected'> {
  try {
    // Browsers have no clipboard in pages that came over plain HTTP.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(text);
    if (navigator.clipboard !== undefined) return 'copied';
  } catch {
    // The user or a browser policy forbids writing to the clipboard.
  }
  if (element !== null) getSelection()?.selectAllChildren(element);
  return 'selected';
}
