/** Hands a file to the browser's downloads. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const TITLE_HEIGHT = 30;

/** The canvas of a panel under its title, on the page's own ground. */
export function savePicture(name: string, title: string, card: HTMLElement): void {
  const drawn = card.querySelector('canvas');
  if (!drawn) return;
  const style = getComputedStyle(card);
  const ratio = drawn.width / drawn.clientWidth || 1;
  const picture = document.createElement('canvas');
  picture.width = drawn.width;
  picture.height = drawn.height + TITLE_HEIGHT * ratio;
  const ctx = picture.getContext('2d');
  if (!ctx) return;
  ctx.fillStyle = style.backgroundColor;
  ctx.fillRect(0, 0, picture.width, picture.height);
  ctx.fillStyle = style.color;
  ctx.font = `600 ${14 * ratio}px ${style.fontFamily}`;
  ctx.fillText(title, 12 * ratio, 20 * ratio);
  ctx.drawImage(drawn, 0, TITLE_HEIGHT * ratio);
  picture.toBlob((blob) => blob && saveFile(name, 'image/png', blob));
}
