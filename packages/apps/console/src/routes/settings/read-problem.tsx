import { ApiProblem } from '@tidewatch/api-client/problem';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { askConfirmation } from '../../session/confirmation.ts';
import styles from './settings.module.css';

export interface ReadProblemProps {
  error: unknown;
  /** Whether an earlier answer stays on the page. */
  isShown: boolean;
  retry: () => void;
}

/** A read that failed. Where it needs a confirmation, the user says when to give it. */
export function ReadProblem({ error, isShown, retry }: ReadProblemProps) {
  if (!(error instanceof ApiProblem) || error.code !== 'confirmation_needed')
    return <Problem error={error} retry={retry} />;
  const confirm = async () => {
    if (await askConfirmation()) retry();
  };
  return (
    <div role="status" className={styles['notice']}>
      <p>
        {isShown
          ? 'The last confirmation is too long ago to read this again: it may have changed since.'
          : 'The last confirmation is too long ago to read this.'}
      </p>
      <Button onClick={confirm}>Confirm it is you</Button>
    </div>
  );
}
