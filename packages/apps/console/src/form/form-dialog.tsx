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
  /** Deletes a draft that closing keeps; called by the button "Cancel". */
  discard?: () => void;
}

/** A dialog with the fields of one object that is about to be made. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, busy, acting, draft, change, onClose, discard, children } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={id} kind="primary" isBusy={acting.isPending} busy={busy}>
            {submit}
          </Button>
          <Button
            onClick={() => {
              discard?.();
              onClose();
            }}
          >
            Cancel
          </Button>
        </>
      }
    >
      <Form id={id} className={styles['dialog']} draft={draft} change={change} acting={acting}>
        {children}
      </Form>
      {acting.error && <Problem error={acting.error} />}
    </Dialog>
  );
}
