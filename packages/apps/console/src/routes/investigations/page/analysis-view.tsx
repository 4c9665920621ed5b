import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { authorWords } from '../investigation-words.ts';
import { type Block, blocksOf, type Run } from '../text/markdown-blocks.ts';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';
import { MeasuredText } from './measured-text.tsx';

/** The analysis in one paragraph. What a model worded says which one. */
export function Summary() {
  const { investigation, ofFindings } = useInvestigation();
  const { analysis } = investigation;
  if (analysis === null) return null;
  const { summary, root_cause, source } = analysis;
  const isOfModel = source === 'llm';
  return (
    <div className={styles['summary']} data-model={isOfModel || undefined}>
      {isOfModel && (
        <p className={shared['muted']}>{visibleText(capitalized(authorWords(investigation) ?? ''))}</p>
      )}
      {isOfModel && root_cause !== null && (
        <p className={shared['sentence']}>
          <MeasuredText text={root_cause} evidenceOf={ofFindings} />
        </p>
      )}
      <p className={shared['sentence']}>
        <MeasuredText text={summary} evidenceOf={ofFindings} />
      </p>
    </div>
  );
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The whole analysis. That of the statistics repeats the findings, so that it is folded at first. */
export function Analysis() {
  const { investigation } = useInvestigation();
  const { analysis } = investigation;
  if (analysis === null || analysis.details_markdown === '') return null;
  const { details_markdown, source, claims_dropped } = analysis;
  return (
    <details className={styles['analysis']} open={source === 'llm'}>
      <summary>Analysis in full, {visibleText(authorWords(investigation) ?? '')}</summary>
      {claims_dropped > 0 && (
        <p className={shared['muted']}>
          {claims_dropped === 1 ? '1 claim' : `${claims_dropped} claims`} of the model dropped: without
          evidence that supports {claims_dropped === 1 ? 'it' : 'them'}.
        </p>
      )}
      {blocksOf(details_markdown).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have their place in the text and nothing else
        <BlockView key={index} block={block} />
      ))}
    </details>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map((runs, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have their place in the text and nothing else
          <li key={index}>
            <Runs runs={runs} />
          </li>
        ))}
      </ul>
    );
  const Element = block.kind === 'heading' ? 'h3' : 'p';
  return (
    <Element>
      <Runs runs={block.runs} />
    </Element>
  );
}

function Runs({ runs }: { runs: readonly Run[] }) {
  const { ofFindings } = useInvestigation();
  return runs.map(({ text, isStrong }, index) => {
    const Element = isStrong ? 'strong' : 'span';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: runs have their place in the text and nothing else
      <Element key={index}>
        <MeasuredText text={text} evidenceOf={ofFindings} />
      </Element>
    );
  });
}
