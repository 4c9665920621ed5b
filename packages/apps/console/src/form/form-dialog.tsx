import { ApiProblem } from '@tidewatch/api-client/problem';
import { type ReactNode, useId } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import styles from './form.module.css';
import { FormContext, type FormState } from './form-state.ts';

export interface FormDialogProps extends Pick<FormState, 'draft' | 'change'> {
  title: string;
  /** The label of the button that submits, and what stands there meanwhile. */
  submit: string;
  busy: string;
  isBusy: boolean;
  /** Why the last attempt failed; faults that name a field are shown at the field too. */
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  /** Called by the button "Cancel" instead of `onClose`, such as to delete a draft that closing keeps. */
  onCancel?: () => void;
  children: ReactNode;
}

/** A dialog with the fields of one object that is about to be made. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, busy, isBusy, error, draft, change, onSubmit, onClose, onCancel, children } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={id} kind="primary" isBusy={isBusy} busy={busy}>
            {submit}
          </Button>
          <Button onClick={onCancel ?? onClose}>Cancel</Button>
        </>
      }
    >
      <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
        <form
          id={id}
          className={styles['dialog']}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) onSubmit();
          }}
        >
          {children}
        </form>
      </FormContext>
      {error && <Problem error={error} />}
    </Dialog>
  );
}
