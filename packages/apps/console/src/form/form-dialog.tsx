import { useId } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import styles from './form.module.css';
import { Form, type FormProps } from './form.tsx';

export interface FormDialogProps extends Omit<FormProps, 'id' | 'className'> {
  title: string;
  /** The label of the button that submits, and what stands there meanwhile. */
  submit: string;
  busy: string;
  onClose: () => void;
  /** Called by the button "Cancel" instead of `onClose`, such as to delete a draft that closing keeps. */
  onCancel?: () => void;
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
      <Form id={id} className={styles['dialog']} {...{ isBusy, error, draft, change, onSubmit }}>
        {children}
      </Form>
      {error && <Problem error={error} />}
    </Dialog>
  );
}
