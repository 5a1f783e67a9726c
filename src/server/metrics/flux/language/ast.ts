import type { Span } from './errors.ts';

/** Numbers and times stay texts until they are compiled, so that their faults have a place. */
export type Expr =
  | { readonly kind: 'int' | 'float' | 'duration' | 'time' | 'regex'; readonly text: string; readonly span: Span }
  | { readonly kind: 'string'; readonly value: string; readonly span: Span }
  | { readonly kind: 'text'; readonly parts: readonly (string | Expr)[]; readonly span: Span }
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
  | { readonly kind: 'array'; readonly items: readonly Expr[]; readonly span: Span }
  | {
      readonly kind: 'record';
      readonly with: Expr | null;
      readonly entries: readonly { readonly key: string; readonly value: Expr }[];
      readonly span: Span;
    }
  | { readonly kind: 'member'; readonly of: Expr; readonly name: string; readonly span: Span }
  | { readonly kind: 'index'; readonly of: Expr; readonly at: Expr; readonly span: Span }
  | {
      readonly kind: 'call';
      readonly callee: Expr;
      readonly args: readonly { readonly name: string; readonly value: Expr }[];
      readonly piped: Expr | null;
      readonly span: Span;
    }
  | {
      readonly kind: 'function';
      readonly params: readonly ParamNode[];
      readonly body: readonly Statement[] | Expr;
      readonly span: Span;
    }
  | { readonly kind: 'unary'; readonly op: '-' | '+' | 'not' | 'exists'; readonly of: Expr; readonly span: Span }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr; readonly span: Span }
  | {
      readonly kind: 'logical';
      readonly op: 'and' | 'or';
      readonly left: Expr;
      readonly right: Expr;
      readonly span: Span;
    }
  | { readonly kind: 'if'; readonly test: Expr; readonly yes: Expr; readonly no: Expr; readonly span: Span };

/** `pipe`: takes what is piped in. */
export interface ParamNode {
  readonly name: string;
  readonly fallback: Expr | null;
  readonly pipe: boolean;
  readonly span: Span;
}

export type Statement =
  | {
      readonly kind: 'assign';
      readonly name: string;
      readonly value: Expr;
      readonly option: boolean;
      readonly member: string | null;
      readonly span: Span;
    }
  | { readonly kind: 'expression'; readonly value: Expr; readonly span: Span }
  | { readonly kind: 'return'; readonly value: Expr; readonly span: Span };

export interface Program {
  readonly imports: readonly { readonly path: string; readonly name: string; readonly span: Span }[];
  readonly body: readonly Statement[];
}

export const isBlock = (body: readonly Statement[] | Expr): body is readonly Statement[] => Array.isArray(body);

/** The one expression that a function gives; null: it does more than that. */
export function onlyExpression(body: readonly Statement[] | Expr): Expr | null {
  if (!isBlock(body)) return body;
  const [first] = body;
  return body.length === 1 && first?.kind === 'return' ? first.value : null;
}
