import { Button } from '../../../components/button.tsx';
import { Age } from '../../../components/time/time.tsx';
import styles from './editor.module.css';

interface OfferedDraftProps {
  at: number;
  /** Whether the rule has been changed since. */
  isOutdated: boolean;
  onContinue: () => void;
  onDiscard: () => void;
}

/** Offers what was typed at an earlier visit and not saved. */
export function OfferedDraft({ at, isOutdated, onContinue, onDiscard }: OfferedDraftProps) {
  return (
    <div role="status" className={styles['offer']}>
      <span>
        There is a draft that was not saved, <Age at={new Date(at).toISOString()} /> old.
        {isOutdated && ' The rule has been changed since.'}
      </span>
      <Button onClick={onContinue}>Continue the draft</Button>
      <Button onClick={onDiscard}>Discard the draft</Button>
    </div>
  );
}
