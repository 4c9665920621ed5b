import type { Scope } from '@tidewatch/contracts/values/access';
import { useId } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import styles from './scoped-button.module.css';
import { useScope } from './scopes.ts';

/** A button of an action that needs a scope. Without the scope it is disabled and says which one it needs. */
export function ScopedButton({ scope = 'write', disabled, ...rest }: ButtonProps & { scope?: Scope }) {
  const { isMissing, reason, keyName } = useScope(scope);
  const id = useId();
  if (!isMissing) return <Button disabled={disabled} {...rest} />;
  return (
    <span className={styles['scoped']}>
      <Button {...rest} disabled aria-describedby={id} title={`The key “${keyName}” does not have it.`} />
      <span id={id} className={styles['reason']}>
        {reason}
      </span>
    </span>
  );
}
