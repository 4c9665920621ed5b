import { ApiProblem } from '@tidewatch/api-client/problem';
import type { ReactNode } from 'react';
import { FormContext, type FormState } from './form-state.ts';

export interface FormProps extends Pick<FormState, 'draft' | 'change'> {
  id?: string;
  className: string | undefined;
  isBusy: boolean;
  /** Why the last attempt failed; its faults are shown at the fields that they name. */
  error: Error | null;
  onSubmit: () => void;
  children: ReactNode;
}

/** A form for the fields of one object, which is sent once at a time. */
export function Form({ id, className, isBusy, draft, change, error, onSubmit, children }: FormProps) {
  return (
    <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
      <form
        id={id}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSubmit();
        }}
      >
        {children}
      </form>
    </FormContext>
  );
}
