/** A text with `{{ JSONata }}`: plain pieces and expressions in turn. */
export type TemplateSegments = readonly ({ text: string } | { expression: string })[];

/** Cuts a text at its `{{ … }}`. Braces and quotes inside an expression are respected; one that never ends is plain text. */
export function parseTemplate(text: string): TemplateSegments {
  const pieces: ({ text: string } | { expression: string })[] = [];
  let at = 0;
  for (const { from, to } of expressionsIn(text)) {
    if (from - 2 > at) pieces.push({ text: text.slice(at, from - 2) });
    const expression = text.slice(from, to).trim();
    if (expression !== '') pieces.push({ expression });
    at = to + 2;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** Where the expressions of a text are: what stands between `{{` and `}}`, spaces included. */
export function expressionsIn(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let open = text.indexOf('{{'); open >= 0;) {
    const to = endOfExpression(text, open + 2);
    if (to < 0) break;
    found.push({ from: open + 2, to });
    open = text.indexOf('{{', to + 2);
  }
  return found;
}

function endOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === '"' || c === "'" || c === '`') {
      const end = endOfQuote(text, i);
      if (end < 0) return text.indexOf('}}', from);
      i = end;
    } else if (c === '{') depth++;
    else if (c === '}' && depth > 0) depth--;
    else if (c === '}' && text[i + 1] === '}') return i;
  }
  return -1;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\' && quote !== '`') i++;
    else if (text[i] === quote) return i;
  }
  return -1;
}
