import { lexer, type MarkedToken, type Token } from 'marked';

/** A page of the docs as a tree. HTML in it is a token of its own, whose text is shown as text. */
export const parseMarkdown = (source: string): readonly MarkedToken[] => markedTokens(lexer(source));

/** Tokens in a token; there are none but those of marked itself, as no extensions are loaded. */
export const markedTokens = (tokens: readonly Token[]): readonly MarkedToken[] => tokens as readonly MarkedToken[];

/** The words alone, for search and for names. */
export function plainText(token: MarkedToken): string {
  if (token.type === 'list') return token.items.map(plainText).join(' ');
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map(({ tokens }) => plainTextOfTokens(tokens))
      .join(' ');
  if ('tokens' in token && token.tokens)
    return plainTextOfTokens(token.tokens, token.type === 'list_item' || token.type === 'blockquote' ? ' ' : '');
  return 'text' in token ? token.text : '';
}

export const plainTextOfTokens = (tokens: readonly Token[], between = ''): string =>
  markedTokens(tokens).map(plainText).join(between);

/** As GitHub names headings, so that links between the docs lead there. */
export const slugify = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
