/**
 * Which words the console says: read from its sources, so that no catalogue has too few texts or too many and no text on
 * screen goes round it. `t`, `tn` and `rich` take literal texts; `bare` are those that look as if a person sees them and that
 * come from no catalogue.
 */
import { parseSync } from 'vite';

/** Attributes and properties whose text is shown or read out, whatever it is. */
const SHOWN = new Set([
  'label',
  'title',
  'aria-label',
  'what',
  'confirmLabel',
  'description',
  'empty',
  'reason',
  'data-hint',
  'absent',
  'hint',
  'subtitle',
  'help',
  'heading',
  'documentTitle',
  'note',
  'fromLabel',
  'toLabel',
  'clearLabel',
  'beforeTitle',
  'afterTitle',
  'nothingFoundMessage',
  'aria-valuetext',
  'placeholder',
  'alt',
  'header',
  'word',
  'summary',
  'message',
]);
/** Those that hold names of the machine. */
const UNSEEN = new Set([
  'className',
  'style',
  'styles',
  'id',
  'key',
  'd',
  'to',
  'type',
  'role',
  'value',
  'kind',
  'tone',
  'method',
  'queryKey',
  'tab',
  'align',
  'sortKey',
  'size',
  'color',
  'severity',
  'path',
  'field',
  'source',
  'status',
  'state',
  'variant',
  'storageKey',
  'pattern',
  'template',
  'example',
  'insert',
  'background',
  'defaultValue',
  'command',
  'transform',
  'gridTemplateColumns',
  'rel',
]);
const CATALOGUE = new Set(['t', 'tn', 'rich']);
const TECHNICAL =
  /^(Error|TypeError|RangeError|RegExp|querySelector|querySelectorAll|closest|matches|getItem|setItem|addEventListener|Set|Map|includes|startsWith|endsWith|setAttribute|getAttribute|define|replace|replaceAll|split|toThrow|supports|matchMedia|on|warn|info|debug|error|mark|append|text)$/;

const letters = (text) => /\p{L}{2}/u.test(text);
/** A sentence, or a word that begins with a capital: what people read. */
const prose = (text) =>
  (/^[“(]?\p{Lu}\p{Ll}+(?:[ ’,.;:…?!)]|$)/u.test(text) ||
    /^[\p{L}“(·–]+[,;:]? \p{L}{2,}(?:[ ,.;:…?!)]|$)/u.test(text)) &&
  !/^(?:Mod|Ctrl|Alt|Shift|Arrow|Enter|Escape|Home|End|Page|Tab|Space|Key|Backspace|Delete)|var\(|\bpx\b|=>|\/\/|[a-z]+=[a-z]|--|\[role=|\[contenteditable|^(?:solid|dashed|inset|translate|rotate|color-mix|minmax|repeat)/.test(
    text,
  );

/** @returns {{ used: { text: string, plural: boolean, line: number }[], bare: { text: string, line: number }[] }} */
export function wordsOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const used = [];
  const bare = [];
  const lineOf = (node) => source.slice(0, node.start).split('\n').length;

  /** The literal texts that an expression comes to. */
  const literals = (node) => {
    switch (node?.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [{ node, text: node.value }] : [];
      case 'TemplateLiteral':
        return [{ node, text: node.quasis.map(({ value }) => value.cooked ?? '').join(' … ') }];
      case 'ConditionalExpression':
        return [...literals(node.consequent), ...literals(node.alternate)];
      case 'LogicalExpression':
        return [...(node.operator === '&&' ? [] : literals(node.left)), ...literals(node.right)];
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return literals(node.expression);
      default:
        return [];
    }
  };
  const judge = (node, shown) => {
    for (const { node: at, text } of literals(node))
      if (letters(text) && (shown || prose(text))) bare.push({ text, line: lineOf(at) });
  };
  const nameOf = (node) =>
    node.type === 'JSXNamespacedName' ? `${node.namespace.name}:${node.name.name}` : (node.name ?? node.value ?? '');

  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    if (/^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(node.type)) return;
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression': {
        const callee = node.callee;
        const name = callee.type === 'Identifier' ? callee.name : (callee.property?.name ?? '');
        if (callee.type === 'Identifier' && CATALOGUE.has(name)) {
          const texts = literals(node.arguments[name === 'tn' ? 1 : 0]);
          for (const { text, node: at } of texts) used.push({ text, plural: name === 'tn', line: lineOf(at) });
          if (texts.length === 0) bare.push({ text: source.slice(node.start, node.end), line: lineOf(node) });
          return node.arguments.slice(name === 'tn' ? 2 : 1).forEach(walk);
        }
        walk(callee);
        if (!TECHNICAL.test(name)) node.arguments.forEach((argument) => judge(argument, false));
        return node.arguments.forEach(walk);
      }
      case 'JSXText':
        if (letters(node.value)) bare.push({ text: node.value.trim(), line: lineOf(node) });
        return;
      case 'JSXExpressionContainer':
        judge(node.expression, true);
        return walk(node.expression);
      case 'JSXAttribute': {
        const name = nameOf(node.name);
        const inner = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
        if (!UNSEEN.has(name)) judge(inner, SHOWN.has(name) && name !== 'placeholder');
        return inner?.type === 'Literal' ? undefined : walk(inner);
      }
      case 'Property': {
        const name = String(nameOf(node.key));
        // A bare small word as a value is more often a name of the machine than a text.
        if (!UNSEEN.has(name) && !(node.value.type === 'Literal' && /^[a-z]\w*$/.test(node.value.value)))
          judge(node.value, SHOWN.has(name));
        return walk(node.value);
      }
      case 'VariableDeclarator':
        judge(node.init, false);
        return walk(node.init);
      case 'ReturnStatement':
        judge(node.argument, false);
        return walk(node.argument);
      case 'ArrowFunctionExpression':
        judge(node.body, false);
        return [node.params, node.body].forEach(walk);
      case 'ArrayExpression':
        node.elements.forEach((element) => judge(element, false));
        return node.elements.forEach(walk);
      case 'BinaryExpression':
        return [node.left, node.right].forEach(walk);
      default:
        for (const [key, value] of Object.entries(node)) if (key !== 'start' && key !== 'end') walk(value);
    }
  };
  walk(program.body);
  return { used, bare };
}
