import { renderToStaticMarkup } from 'react-dom/server';
import { type Tokens, walkTokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { type Topic, topics } from './docs.ts';
import { findHelp } from './find.ts';
import { Markdown } from './Markdown.tsx';
import { parseMarkdown, plainTextOfTokens } from './markdown.ts';

const drawn = (source: string): string =>
  renderToStaticMarkup(<Markdown tokens={parseMarkdown(source)} topic="page" onTopic={() => undefined} />);

describe('what is written', () => {
  it('in a line', () => {
    expect(drawn('a **b `c`** *d* [e](f.md#g) [o](https://x.test) [s](../src) ![h](i.png) `x|y` 2 * 3 * 4')).toMatch(
      /^<p>a <strong>b <code>c<\/code><\/strong> <em>d<\/em> <button type="button"[^>]*>e<\/button> <a href="https:\/\/x.test"[^>]*>o<\/a> <span>s<\/span> <em>h<\/em> <code>x\|y<\/code> 2 \* 3 \* 4<\/p>$/,
    );
  });
  it('as blocks', () => {
    expect(drawn('# T *x*\n\npara\ngoes on\n\n> q\n\n```sh\na\n\n# b\n```\n---')).toBe(
      '<h3 data-slug="t-x" tabindex="-1">T <em>x</em></h3><p>para\ngoes on</p><blockquote><p>q</p></blockquote><pre tabindex="0"><code>a\n\n# b</code></pre><hr/>',
    );
    expect(drawn('- one\n  two\n- **three**\n  1. four')).toBe(
      '<ul><li>one\ntwo</li><li><strong>three</strong><ol><li>four</li></ol></li></ul>',
    );
  });
  it('as a table, with bars inside code and behind backslashes', () => {
    expect(drawn('| a | b |\n|---|:-:|\n| `x\\|y` | p \\| q |')).toContain('<td><code>x|y</code></td><td>p | q</td>');
  });
  it('as HTML is text', () => {
    expect(drawn('<script>alert(1)</script>\n\na <b onclick="x">c</b>')).toBe(
      '&lt;script&gt;alert(1)&lt;/script&gt;<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt;</p>',
    );
  });
});

describe('the docs', () => {
  const all = [...topics().values()];

  it('are all read, each with a title', () => {
    for (const topic of all) expect(topic.tokens[0], topic.name).toMatchObject({ type: 'heading', depth: 1 });
  });
  it('lead to places that are there', () => {
    const broken = all.flatMap((topic) =>
      linksOf(topic).flatMap((link) => {
        const [, name, slug] = /^([\w-]*)\.md(?:#([\w-]+))?$/.exec(link) ?? [];
        const target = all.find((other) => other.name === name);
        return name === undefined ||
          (target && (slug === undefined || target.sections.some((section) => section.slug === slug)))
          ? []
          : [`${topic.name}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });
  it('are found by words, those with them in the title first', () => {
    expect(findHelp(all, 'dead letters')[0]?.section.title).toMatch(/dead letters/i);
    expect(findHelp(all, 'zzzz qqqq')).toEqual([]);
    expect(plainTextOfTokens(parseMarkdown('[a `b`](c) **d**'))).toBe('a b d');
  });
});

function linksOf({ tokens }: Topic): string[] {
  const links: string[] = [];
  void walkTokens([...tokens], (token) => {
    if (token.type === 'link') links.push((token as Tokens.Link).href);
  });
  return links;
}
