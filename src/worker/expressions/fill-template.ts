import { withSecrets } from '../../contract/secret-names.ts';
import { isRawNumber } from '../../lib/json.ts';
import { parseTemplate } from '../../lib/template.ts';
import type { Expressions } from './expressions.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { quoteExpression } from './quote-expression.ts';
import { rememberLast } from '../../lib/bounded-map.ts';
import type { Payload } from '../payload.ts';

/** Fills texts; missing values are empty, objects and arrays JSON. With `secret`, expressions may name secrets as `secrets.NAME`. */
export type FillTemplate = (
  text: string,
  input: Payload,
  task: { signal(): AbortSignal },
  secret?: (name: string) => string,
) => Promise<string>;

export function createTemplateFiller(expressions: Expressions): FillTemplate {
  const parsed = rememberLast(1000, parseTemplate);
  return async (text, input, task, secret) => {
    if (!text.includes('{{')) return text;
    let filled = '';
    for (const piece of parsed(text)) {
      if ('text' in piece) {
        filled += piece.text;
        continue;
      }
      // A JSON string is a JSONata string too.
      const expression =
        secret && piece.expression.includes('secrets.')
          ? withSecrets(piece.expression, (name) => JSON.stringify(secret(name)))
          : piece.expression;
      try {
        const known = expressions.tryFastPath(expression, input);
        filled += asText(known === null ? await expressions.evaluate(expression, input, task) : known.value);
      } catch (error) {
        throw asWritten(error, expression, piece.expression);
      }
    }
    return filled;
  };
}

/** An error quotes the beginning of the expression: as its author wrote it, or it would end in the middle of a value. */
function asWritten(error: unknown, evaluated: string, written: string): unknown {
  if (evaluated === written || !(error instanceof TaskExecutionError)) return error;
  const { code, message, retryable } = error.failure;
  return new TaskExecutionError(
    code,
    message.replace(quoteExpression(evaluated), () => quoteExpression(written)),
    {
      retryable,
    },
  );
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isRawNumber(value)) return value.rawJSON;
  return JSON.stringify(value) ?? '';
}
