import { escapeHtml as esc } from './docs-schema.ts';
import type { FormField } from '../../../lib/form-fields.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #16181d); color: light-dark(#1c1f24, #e7e9ee); }
main { box-sizing: border-box; width: min(32rem, calc(100vw - 2rem)); margin: 1rem; padding: 2rem; border: 1px solid light-dark(#d9dce1, #33373f); border-radius: 12px; background: light-dark(#fff, #1e2127); }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; white-space: pre-wrap; }
p { margin: 0 0 1rem; color: light-dark(#545b66, #a5acb8); overflow-wrap: anywhere; }
label { display: block; margin: 0 0 1rem; font-weight: 600; }
label small { display: block; font-weight: 400; color: light-dark(#545b66, #a5acb8); }
input:not([type=checkbox]), select, textarea { box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .5rem .625rem; border: 1px solid light-dark(#8a919d, #676e7b); border-radius: 6px; background: light-dark(#fff, #16181d); color: inherit; font: inherit; }
label.check { font-weight: 400; }
footer { display: flex; gap: .75rem; justify-content: flex-end; margin-top: 1.5rem; }
button { padding: .5rem 1.25rem; border: 1px solid light-dark(#8a919d, #676e7b); border-radius: 6px; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.main { border-color: transparent; background: light-dark(#1d4ed8, #3b6cf0); color: #fff; }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #7da2ff); outline-offset: 2px; }
.brand { margin: 1.5rem 0 0; font-size: .8125rem; }
`;

/** The page of a one-time link, without scripts. `fields` null: it only says something. */
export function respondPage({
  nonce,
  title,
  text,
  fields,
}: {
  nonce: string;
  title: string;
  text: string;
  fields: { readonly isApproval: boolean; readonly form: readonly FormField[] } | null;
}): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${esc(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main>
<h1>${esc(title)}</h1>
<p>${esc(text)}</p>
${fields === null ? '' : form(fields)}
<p class="brand">Yardmaster</p>
</main></body>
</html>`;
}

function form({ isApproval, form: fields }: { isApproval: boolean; form: readonly FormField[] }): string {
  const comment = `<label>Comment<small>Kept with the decision</small><textarea name="comment" rows="2" maxlength="2000"></textarea></label>`;
  const buttons = isApproval
    ? // What is missing in the form keeps nobody from rejecting.
      `<button name="decision" value="reject" formnovalidate>Reject</button><button class="main" name="decision" value="approve">Approve</button>`
    : `<button class="main">Send signal</button>`;
  // Enter in a field presses the first button that sends, and this one cannot be pressed: a decision takes its own button.
  return `<form method="post"><button disabled hidden></button>${fields.map(input).join('')}${isApproval ? comment : ''}<footer>${buttons}</footer></form>`;
}

function input({ name, label, help, kind, choices, required }: FormField): string {
  const attributes = `name="field.${esc(name)}"${required ? ' required' : ''}`;
  const about = `${esc(label)}${required ? '' : ' <small>optional</small>'}${help === '' ? '' : `<small>${esc(help)}</small>`}`;
  switch (kind) {
    case 'boolean':
      return `<label class="check"><input type="checkbox" name="field.${esc(name)}" value="true"> ${esc(label)}${help === '' ? '' : `<small>${esc(help)}</small>`}</label>`;
    case 'choice': {
      const options = choices.map((one) => `<option value="${esc(one)}">${esc(one.replace(/^"|"$/g, ''))}</option>`);
      return `<label>${about}<select ${attributes}>${required ? '' : '<option value=""></option>'}${options.join('')}</select></label>`;
    }
    case 'number':
    case 'integer':
      return `<label>${about}<input type="number" step="${kind === 'integer' ? '1' : 'any'}" ${attributes}></label>`;
    case 'json':
      return `<label>${about}<textarea rows="4" ${attributes}></textarea></label>`;
    case 'text':
      return `<label>${about}<input ${attributes}></label>`;
  }
}
