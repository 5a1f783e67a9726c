/** A name as the item of a menu: there, `&` would mark the letter behind it. */
export const menuLabel = (name: string): string => name.replaceAll('&', '&&');
