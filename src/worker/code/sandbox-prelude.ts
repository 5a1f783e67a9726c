/**
 * Runs inside the sandbox before the node's own code and calls it. It keeps the functions that it needs, so that code
 * which changes globals fools only itself. The promise that it returns fulfils with a letter and JSON: `D` done,
 * `F` thrown, `S` a syntax error.
 */
export const PRELUDE = `((log, text, attempt, taskId, source, secrets) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze } = Object;
  // What the same input brings about again, however often it is tried.
  const mistakes = [TypeError, ReferenceError, SyntaxError];
  const AsyncFunction = (async () => {}).constructor;
  const asText = (value) => {
    if (typeof value === 'string') return value;
    try { return stringify(value) ?? \`\${value}\`; } catch { return 'a value that is not valid JSON'; }
  };
  const ctx = freeze({
    attempt,
    taskId,
    secrets: freeze(parse(secrets)),
    log: freeze((level, message, fields) => {
      let json = '';
      try { json = stringify(fields) ?? ''; } catch {}
      log(asText(level), asText(message), json);
    }),
  });
  const asWord = (value) => {
    const object = value !== null && typeof value === 'object';
    try { return object && value instanceof Error ? value.name + ': ' + value.message : asText(value); }
    catch { return 'a value that cannot be read'; }
  };
  const logger = (level) => freeze((...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + asWord(values[i]);
    log(level, line, '');
  });
  globalThis.console = freeze({
    log: logger('info'),
    info: logger('info'),
    debug: logger('debug'),
    warn: logger('warn'),
    error: logger('error'),
  });
  const told = (letter, error) => {
    try {
      const object = error !== null && (typeof error === 'object' || typeof error === 'function');
      const code = object && typeof error.code === 'string' ? error.code : null;
      const final = object && typeof error.retryable === 'boolean' ? !error.retryable : code === 'NON_RETRYABLE' ? true : null;
      const mistake = final === null && code === null && mistakes.some((type) => error instanceof type);
      const message = object && error.message !== undefined ? asText(error.message) : asText(error);
      const name = object && typeof error.name === 'string' && error.name !== 'Error' ? error.name + ': ' : '';
      const stack = object && typeof error.stack === 'string' ? error.stack : '';
      return letter + stringify({ message: name + message, code, final, mistake, stack });
    } catch {
      return letter + '{"message":"the code threw something that cannot be read","code":null,"final":null,"mistake":false,"stack":""}';
    }
  };
  return (async () => {
    let body;
    try { body = AsyncFunction('input', 'ctx', source); } catch (error) { return told('S', error); }
    try { return 'D' + (stringify(await body(parse(text), ctx)) ?? 'null'); } catch (error) { return told('F', error); }
  })();
})`;
