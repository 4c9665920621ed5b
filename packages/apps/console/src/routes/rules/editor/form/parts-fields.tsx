import { PatternsField, TagsField } from '../../../../form/fields.tsx';
import { HELP } from './editor-texts.ts';

/** The kind of parts in a metric such as `filesystem.used_percent`; other metrics have none. */
const PART_METRIC = /^(?!(?:host|container|process|part)\.)[^.:*]{1,64}\../;

/** The parts that a selector at `path` chooses, of a metric that parts may have or where some are chosen already. */
export function PartsFields({ path, metric, selector }: { path: string; metric: string; selector: unknown }) {
  const chosen = (selector ?? {}) as { part?: unknown; part_labels?: unknown };
  const isShown = PART_METRIC.test(metric) || chosen.part !== undefined || chosen.part_labels !== undefined;
  if (!isShown) return null;
  return (
    <>
      <PatternsField path={`${path}/part`} label="Parts" help={HELP.parts} />
      <TagsField
        path={`${path}/part_labels`}
        label="Labels of parts"
        help={HELP.partLabels}
        placeholder="type=ext4, device=/dev/sd*"
      />
    </>
  );
}
