/** The style of `/docs`: readable in both themes, from 320 px up. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --page: #ffffff; --panel: #f4f6f8; --line: #d5dae0; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --soft: #9aa5b1; --page: #14171b; --panel: #1c2127; --line: #323a43; --accent: #7cb8f7; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; display: grid; grid-template-columns: 18rem minmax(0, 1fr); background: var(--page); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; background: var(--panel); border-right: 1px solid var(--line); font-size: 14px; }
nav h2 { margin: 1.1rem 0 .2rem; font-size: 12px; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .15rem 0; color: var(--text); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav .home { display: inline; font-weight: 650; }
.version, .note, .who { color: var(--soft); }
main { max-width: 56rem; padding: 2rem 2.5rem 6rem; min-width: 0; }
a { color: var(--accent); }
h1 { margin: 0 0 1rem; font-size: 1.8rem; }
h2.tag { margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
section { margin: 1rem -.8rem; padding: .5rem .8rem; border-radius: 6px; }
h3 { margin: 0 0 .3rem; font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin: .8rem 0 .2rem; font-size: .85rem; color: var(--soft); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92em; }
pre { overflow-x: auto; padding: .9rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
var { font-style: normal; color: var(--accent); }
.method { display: inline-block; min-width: 4.2rem; padding: .05rem .45rem; border: 1px solid var(--line); border-radius: 4px; background: var(--panel); font: 600 .78rem ui-monospace, monospace; text-align: center; }
.fields { margin: .2rem 0; padding-left: 1.1rem; list-style: none; border-left: 2px solid var(--line); }
.fields li { margin: .15rem 0; overflow-wrap: anywhere; }
.type { color: var(--soft); font-family: ui-monospace, monospace; font-size: .86em; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:target, section:target { background: var(--panel); }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1.25rem; } }
`;
