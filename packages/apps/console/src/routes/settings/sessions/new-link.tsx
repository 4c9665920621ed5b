import { useMutation } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { includesScope } from '@tidewatch/contracts/values/access';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { SecretDialog } from '../../../components/secret/secret-dialog.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { CheckboxesField, SelectField, TextField } from '../../../form/fields.tsx';
import { FormContext } from '../../../form/form-state.ts';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { useSession } from '../../../session/session-state.ts';
import styles from '../settings.module.css';
import { LINK_SCOPES, linkBody, NEW_LINK, VALIDITIES } from './link-draft.ts';

const TEXTS = {
  person: {
    title: 'New sign-in link',
    help: 'Whom it is for, such as Anna on her phone.',
    about: 'The link signs in one browser, once.',
  },
  display: {
    title: 'New display',
    help: 'Where it hangs, such as Wall in the office.',
    about:
      'The link signs in one screen, once. It only reads, shows the overview without navigation, and stays signed in for a year.',
  },
} as const;

/** Makes a link that signs in another browser. Its address is shown until the user has stored it. */
export function NewLink({ kind, onClose }: { kind: 'person' | 'display'; onClose: () => void }) {
  const session = useSession();
  const { draft, change, discard } = useKeptDraft(`link.${kind}`, NEW_LINK);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/sign-in-links', { body: linkBody(draft, kind, serverNow()) }),
    onSuccess: discard,
  });
  const { data, error } = create;
  const { title, help, about } = TEXTS[kind];
  const identity = session.kind === 'signed-in' ? session.identity : null;
  if (data !== undefined)
    return (
      <SecretDialog title={title} secret={data.url} onStored={onClose}>
        <p>
          {about} It works until <Time at={data.expires_at} />, and is shown only now.
        </p>
      </SecretDialog>
    );
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <FormContext value={{ draft, faults: error instanceof ApiProblem ? error.errors : [], change }}>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <p>
            {about} Its changes are those of the key “<bdi>{visibleText(identity?.key.name ?? '')}</bdi>”: for
            another person, make a key.
          </p>
          <TextField path="/name" label="Name" help={help} />
          {kind === 'person' && (
            <CheckboxesField
              path="/scopes"
              label="Scopes"
              options={LINK_SCOPES.filter((scope) => includesScope(identity?.scopes ?? [], scope)).map(
                (scope) => [scope, scope] as const,
              )}
            />
          )}
          <SelectField path="/hours" label="Works for" options={VALIDITIES} />
          {error && <Problem error={error} />}
          <div className={styles['actions']}>
            <Button type="submit" kind="primary" isBusy={create.isPending} busy="Creating …">
              Create the link
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
