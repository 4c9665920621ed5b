import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { TextField } from '../../../form/fields.tsx';
import { FormContext } from '../../../form/form-state.ts';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import styles from '../settings.module.css';

/** Makes an organization. Its first key is shown until the user has stored it. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { draft, change, discard } = useKeptDraft('organization', { name: '' });
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/organizations', { body: { name: String(draft['name']) } }),
    onSuccess: () => {
      discard();
      void client.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const { data, error } = create;
  if (data !== undefined)
    return (
      <SecretDialog
        title={`The first key of ${visibleText(data.organization.name)}`}
        secret={data.key.secret}
        onStored={onClose}
      >
        <p>
          It may do everything in the organization <bdi>{visibleText(data.organization.name)}</bdi>, and is
          shown only now.
        </p>
      </SecretDialog>
    );
  return (
    <Dialog title="New organization" isOpen onClose={onClose}>
      <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <p>It has hosts, rules, alerts, channels and keys of its own.</p>
          <TextField path="/name" label="Name" />
          {error && <Problem error={error} />}
          <div className={styles['actions']}>
            <Button type="submit" kind="primary" isBusy={create.isPending} busy="Creating …">
              Create the organization
            </Button>
            <Button
              onClick={() => {
                discard();
                onClose();
              }}
            >
              Cancel
            </Button>
          </div>
        </form>
      </FormContext>
    </Dialog>
  );
}
