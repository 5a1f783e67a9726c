/** Has the browser download what is at an address of the master, as a link with `download` does. */
export function downloadUrl(href: string, file: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = file;
  link.click();
}
