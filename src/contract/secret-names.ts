/** Where secrets may be named, and how (docs/secrets.md). Master and worker read a node the same way. */

/** A value shorter than this is not looked for in texts: it would be found everywhere. */
export const MIN_REDACTED_CHARACTERS = 6;

const IN_EXPRESSION =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?<![\w.$`])secrets\.([A-Z][A-Z0-9_]{0,62})(?![\w(])/g;

const IN_CODE = /\bctx\s*\.\s*secrets\s*(?:\.\s*([A-Z][A-Z0-9_]{0,62})\b|\[\s*(['"`])([A-Z][A-Z0-9_]{0,62})\2\s*\])/g;

/** An expression with each `secrets.NAME` outside of its quotes as the JSONata text that `literal` gives. */
export const withSecrets = (expression: string, literal: (name: string) => string): string =>
  expression.replace(IN_EXPRESSION, (found, name: string | undefined) => (name === undefined ? found : literal(name)));

/** Names of the secrets that a node of this type and configuration asks for, sorted; inner nodes of a `forEach` included. */
export function findSecretNames(type: string, config: Readonly<Record<string, unknown>>): string[] {
  const names = new Set<string>();
  if (type === 'http') namesInTexts(config, names);
  else if (type === 'code') {
    for (const [, plain, , quoted] of String(config['source'] ?? '').matchAll(IN_CODE)) {
      const name = plain ?? quoted;
      if (name !== undefined) names.add(name);
    }
  } else if (type === 'forEach') {
    // A draft's may lack any part.
    const inner = config['node'] as { type?: unknown; config?: Record<string, unknown> } | null | undefined;
    if (typeof inner?.type === 'string')
      for (const name of findSecretNames(inner.type, inner.config ?? {})) names.add(name);
  }
  return [...names].sort();
}

function namesInTexts(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    // What stands in no braces asks for nothing; a name too many is only looked up in vain.
    if (value.includes('{{') && value.includes('secrets.')) {
      for (const [, inner = ''] of value.matchAll(/\{\{([\s\S]*?)\}\}/g))
        for (const [, name] of inner.matchAll(IN_EXPRESSION)) if (name !== undefined) names.add(name);
    }
  } else if (Array.isArray(value)) for (const inner of value) namesInTexts(inner, names);
  else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      namesInTexts(key, names);
      namesInTexts(inner, names);
    }
  }
}
