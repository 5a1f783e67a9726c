import type { MarkedToken, Token } from 'marked';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import css from './Help.module.css';
import { imageAt } from './docs.ts';
import { markedTokens, plainText, slugify, plainTextOfTokens } from './markdown.ts';

interface Place {
  /** A link to another page of the docs, or to a place in one. */
  onTopic(name: string, slug: string): void;
  /** The page that is shown, for links into itself. */
  readonly topic: string;
}

/** Docs as elements; their text stays text, whatever it holds. */
export function Markdown({ tokens, ...place }: { readonly tokens: readonly Token[] } & Place): ReactNode {
  return markedTokens(tokens).map((token, i) => <Piece key={i} token={token} {...place} />);
}

function Piece({ token, ...place }: { readonly token: MarkedToken } & Place): ReactNode {
  const inside = (tokens: readonly Token[]) => <Markdown tokens={tokens} {...place} />;
  switch (token.type) {
    case 'heading': {
      // The drawer's own title is above them all.
      const Tag = token.depth <= 1 ? 'h3' : token.depth === 2 ? 'h4' : 'h5';
      return (
        <Tag data-slug={slugify(plainText(token))} tabIndex={-1}>
          {inside(token.tokens)}
        </Tag>
      );
    }
    case 'paragraph':
      return <p>{inside(token.tokens)}</p>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'list': {
      const Tag = token.ordered ? 'ol' : 'ul';
      return (
        <Tag>
          {token.items.map((item, i) => (
            <li key={i}>{inside(item.tokens)}</li>
          ))}
        </Tag>
      );
    }
    case 'table':
      return (
        <div
          className={css['table']}
          tabIndex={0}
          role="region"
          aria-label={plainTextOfTokens(token.header[0]?.tokens ?? []) || t('Table')}
        >
          <table>
            <thead>
              <tr>
                {token.header.map((cell, i) => (
                  <th key={i} scope="col">
                    {inside(cell.tokens)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row, r) => (
                <tr key={r}>
                  {row.map((cell, i) => (
                    <td key={i}>{inside(cell.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'blockquote':
      return <blockquote>{inside(token.tokens)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
      return <strong>{inside(token.tokens)}</strong>;
    case 'em':
      return <em>{inside(token.tokens)}</em>;
    case 'image': {
      const url = imageAt(token.href);
      return url === null ? <em>{token.text}</em> : <img src={url} alt={token.text} loading="lazy" />;
    }
    case 'link':
      return (
        <Reference to={token.href} {...place}>
          {inside(token.tokens)}
        </Reference>
      );
    default:
      // Text, in a list item also with what is in it, and whatever the docs are not written in: HTML above all.
      return 'tokens' in token && token.tokens ? inside(token.tokens) : plainText(token);
  }
}

/** Into the docs, or to an https address outside; what else a link names (a file of the repository) is not here, and stays words. */
function Reference({ to, children, topic, onTopic }: { to: string; children: ReactNode } & Place): ReactNode {
  const [, name, slug = ''] = /^(?:\.\/)?([\w-]*)(?:\.md)?(?:#([\w-]*))?$/.exec(to) ?? [];
  if (name !== undefined && (to.includes('.md') || to.startsWith('#')))
    return (
      <button type="button" className="linkish" onClick={() => onTopic(name === '' ? topic : name, slug)}>
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
