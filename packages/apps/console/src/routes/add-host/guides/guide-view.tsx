import { Copy } from '../../../components/copy.tsx';
import styles from '../add-host.module.css';
import { NO_SECRET } from '../commands.ts';
import { filledIn, type Guide, type GuideBlock, hasKey } from './read-guide.ts';

/** How an agent of another project sends to the Tidewatch at `url`; `secret` is null until there is a key. */
export function GuideView({ guide, url, secret }: { guide: Guide; url: string; secret: string | null }) {
  return (
    <div className={styles['guide']}>
      {guide.blocks.map((block) => (
        <Block key={JSON.stringify(block)} block={block} url={url} secret={secret} />
      ))}
      {secret !== null && !hasKey(guide) && (
        <p className={styles['note']}>
          The key: <Copy key={secret} text={secret} />
        </p>
      )}
    </div>
  );
}

function Block({ block, url, secret }: { block: GuideBlock; url: string; secret: string | null }) {
  if (block.kind === 'list')
    return (
      <ul className={styles['note']}>
        {block.items.map((item) => (
          <li key={item}>
            <Text text={item} />
          </li>
        ))}
      </ul>
    );
  if (block.kind === 'text')
    return (
      <p className={styles['note']}>
        <Text text={block.text} />
      </p>
    );
  const code = filledIn(block.code, url, secret ?? NO_SECRET);
  return secret === null ? <pre className={styles['example']}>{code}</pre> : <Copy key={code} text={code} />;
}

/** A text whose parts between backticks are code. */
function Text({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text of a guide never change
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
