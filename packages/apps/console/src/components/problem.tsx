import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import styles from './problem.module.css';
import { problemText } from './problem-text.ts';

export interface ProblemProps {
  error: unknown;
  /** Sends the request again. After a limit it is called by itself as soon as the server allows. */
  retry?: (() => void) | undefined;
}

/** A request that failed: what happened, the id of the request, and how to try again. */
export function Problem({ error, retry }: ProblemProps) {
  const { title, detail, requestId, faults, retryAfterMs } = problemText(error);
  return (
    <div role="alert" className={styles['problem']}>
      <h2 className={styles['title']}>{title}</h2>
      <p>{detail}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== null && (
        <p className={styles['request']}>
          Request <Copy text={requestId} />
        </p>
      )}
      {retry && retryAfterMs !== null && <Countdown key={retryAfterMs} ms={retryAfterMs} done={retry} />}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Counts down to a retry, as in "Retrying in 12 s.", then calls `done`. */
function Countdown({ ms, done }: { ms: number; done: () => void }) {
  const [left, setLeft] = useState(() => Math.ceil(ms / 1_000));
  useEffect(() => {
    if (left <= 0) return done();
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, done]);
  return <p role="timer">Retrying in {Math.max(left, 0)} s.</p>;
}
