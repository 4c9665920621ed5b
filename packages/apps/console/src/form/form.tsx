import { ApiProblem } from '@tidewatch/api-client/problem';
import type { ReactNode } from 'react';
import type { Action } from '../api/action.ts';
import { FormContext, type FormState } from './form-state.ts';

export interface FormProps extends Pick<FormState, 'draft' | 'change'> {
  id?: string;
  className: string | undefined;
  /** What submitting does; the faults of the last attempt are shown at the fields that they name. */
  acting: Action;
  children: ReactNode;
}

/** A form for the fields of one object, which is sent once at a time. */
export function Form({ id, className, draft, change, acting, children }: FormProps) {
  const { isPending, error, mutate } = acting;
  return (
    <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
      <form
        id={id}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        {children}
      </form>
    </FormContext>
  );
}
