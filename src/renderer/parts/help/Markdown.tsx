import type { ReactNode } from 'react';
import css from './Help.module.css';
import { imageAt } from './docs.ts';
import type { Block, Inline } from './markdown.ts';

export interface MarkdownProps {
  readonly blocks: readonly Block[];
  /** A link to another page of the docs, or to a place in one. */
  onTopic(name: string, slug: string): void;
  /** The page that is shown, for links into itself. */
  readonly topic: string;
}

/** Docs as elements; their text stays text, whatever it holds. */
export function Markdown(props: MarkdownProps): ReactNode {
  return props.blocks.map((block, i) => <BlockView key={i} block={block} {...props} />);
}

function BlockView({ block, ...props }: { block: Block } & MarkdownProps): ReactNode {
  const words = (nodes: readonly Inline[]) => <Words nodes={nodes} {...props} />;
  switch (block.kind) {
    case 'heading': {
      // The drawer's own title is above them all.
      const Tag = block.level <= 1 ? 'h3' : block.level === 2 ? 'h4' : 'h5';
      return <Tag data-slug={block.slug} tabIndex={-1}>{words(block.text)}</Tag>;
    }
    case 'paragraph':
      return <p>{words(block.text)}</p>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const Tag = block.ordered ? 'ol' : 'ul';
      return (
        <Tag>
          {block.items.map((item, i) => (
            <li key={i}>{item.length === 1 && item[0]?.kind === 'paragraph' ? words(item[0].text) : <Markdown {...props} blocks={item} />}</li>
          ))}
        </Tag>
      );
    }
    case 'table':
      return (
        <div className={css['table']} tabIndex={0} role="region" aria-label={block.head.length > 0 ? textOf(block.head[0]) : undefined}>
          <table>
            <thead>
              <tr>{block.head.map((cell, i) => <th key={i} scope="col">{words(cell)}</th>)}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, r) => (
                <tr key={r}>{row.map((cell, i) => <td key={i}>{words(cell)}</td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'quote':
      return (
        <blockquote>
          <Markdown {...props} blocks={block.children} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
  }
}

const textOf = (nodes: readonly Inline[] | undefined): string => nodes?.map((node) => (typeof node === 'string' ? node : 'code' in node ? node.code : '')).join('') || 'table';

function Words({ nodes, ...props }: { nodes: readonly Inline[] } & MarkdownProps): ReactNode {
  return nodes.map((node, i) => {
    if (typeof node === 'string') return node;
    if ('code' in node) return <code key={i}>{node.code}</code>;
    if ('strong' in node) return <strong key={i}><Words {...props} nodes={node.strong} /></strong>;
    if ('em' in node) return <em key={i}><Words {...props} nodes={node.em} /></em>;
    if ('image' in node) {
      const url = imageAt(node.image);
      return url === null ? <em key={i}>{node.alt}</em> : <img key={i} src={url} alt={node.alt} loading="lazy" />;
    }
    return <Reference key={i} to={node.link} {...props}><Words {...props} nodes={node.children} /></Reference>;
  });
}

/** Into the docs, or to an https address outside; what else a link names (a file of the repository) is not here, and stays words. */
function Reference({ to, children, topic, onTopic }: { to: string; children: ReactNode } & MarkdownProps): ReactNode {
  const [, name, slug = ''] = /^(?:\.\/)?([\w-]*)(?:\.md)?(?:#([\w-]*))?$/.exec(to) ?? [];
  if (name !== undefined && (to.includes('.md') || to.startsWith('#')))
    return (
      <button type="button" className={css['link']} onClick={() => onTopic(name === '' ? topic : name, slug)}>
        {children}
      </button>
    );
  if (to.startsWith('https://'))
    return (
      <a href={to} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    );
  return <span>{children}</span>;
}
