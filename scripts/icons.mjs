import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { icnsOf, icoOf } from './lib/icon-files.mjs';

/**
 * `node scripts/icons.mjs [path of a Chromium]`: makes the images of the desktop app from the product's own icon,
 * src/renderer/public/icon.svg. To be run, and its results committed, when that icon changes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const icon = readFileSync(join(root, 'src', 'renderer', 'public', 'icon.svg'), 'utf8');
const inner = icon.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
const svg = (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** States are told by shape as well as by colour: a ring is nothing to do, a disc is at work, a triangle wants a look. */
const MARKS = {
  off: '',
  idle: '<circle cx="25" cy="25" r="5.4" fill="#16324f" stroke="#fff" stroke-width="2.2"/>',
  running: '<circle cx="25" cy="25" r="6.5" fill="#2f8fe0" stroke="#fff" stroke-width="1.6"/>',
  failing: '<path d="M25 17.2 32.2 31H17.8z" fill="#e5484d" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/>',
};
const faded = (content) => `<g opacity=".45">${content}</g>`;
/** macOS colours a template by itself: only its shape counts. */
const template = inner.replace(/<rect[^>]*\/>/, '').replaceAll(/(fill|stroke)="#[0-9a-fA-F]+"/g, '$1="#000"');

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
async function draw(content, size, ...path) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg(content)}`);
  const png = await page.screenshot({ omitBackground: true });
  if (path.length > 0) write(png, ...path);
  return png;
}
function write(content, ...path) {
  const file = join(root, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}
/** Its pixels, four bytes each, rows from the top. */
async function pixelsOf(png) {
  const numbers = await page.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, image.width, image.height).data];
  }, png.toString('base64'));
  return Buffer.from(numbers);
}
const pngs = {};
for (const size of [16, 32, 48, 64, 128, 256, 512, 1024])
  pngs[size] = await draw(inner, size, 'packaging', 'icons', `${size}x${size}.png`);
write(icnsOf(pngs), 'packaging', 'icon.icns');
const small = [];
for (const size of [16, 24, 32, 48]) small.push({ size, rgba: await pixelsOf(await draw(inner, size)) });
write(icoOf([...small, ...[64, 128, 256].map((size) => ({ size, png: pngs[size] }))]), 'packaging', 'icon.ico');
for (const [state, mark] of Object.entries(MARKS)) {
  const content = state === 'off' ? faded(inner) : inner + mark;
  await draw(content, 22, 'resources', 'tray', `${state}.png`);
  await draw(content, 44, 'resources', 'tray', `${state}@2x.png`);
}
await draw(template, 18, 'resources', 'tray', 'trayTemplate.png');
await draw(template, 36, 'resources', 'tray', 'trayTemplate@2x.png');
await draw(
  '<circle cx="16" cy="16" r="14" fill="#e5484d" stroke="#fff" stroke-width="3"/>',
  32,
  'resources',
  'tray',
  'overlay.png',
);
await browser.close();
